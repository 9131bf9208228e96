import Glibc
import SoundboxCore

extension ClipPlan.Tone {
    /// The sound at a rate in Hz: a struck tone that dies away to nothing, well below full scale, so that it neither
    /// clicks nor startles.
    func samples(rate: Int) -> [Int16] {
        let (frequency, milliseconds): (Double, Int) =
            switch self {
            case .tick: (1760, 25)
            case .chime: (880, 200)
            }
        let count = rate * milliseconds / 1000
        let attack = Double(rate) / 1000
        return (0..<count).map { index in
            let place = Double(index) / Double(count)
            let envelope = min(1, Double(index) / attack) * exp(-5 * place) * (1 - place)
            let level = 0.35 * envelope * sin(2 * .pi * frequency * Double(index) / Double(rate))
            return Int16((level * 32_768).rounded())
        }
    }
}
