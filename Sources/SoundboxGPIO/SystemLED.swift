import Glibc
import SoundboxPlatform

/// A light of the kernel's, `/sys/class/leds/NAME`: what a `leds-gpio` or `leds-pwm` overlay makes. One thread.
struct SystemLED: ~Copyable {
    private let folder: String
    private let brightness: DeviceFile
    private let maximum: Int

    /// Opens the light, and takes it away from the trigger that it may have (`mmc0`, `heartbeat`). open(2)
    init(_ folder: String) throws(PanelError) {
        let text: [UInt8]
        do {
            text = try File.read("\(folder)/max_brightness", limit: 64)
        } catch {
            throw PanelError(folder, .open, code: error.code)
        }
        let brightness = try DeviceFile("\(folder)/brightness", O_WRONLY, for: folder)
        if let trigger = try? DeviceFile("\(folder)/trigger", O_WRONLY, for: folder) {
            _ = write(trigger.descriptor, "none", 4)
        }
        self.folder = folder
        self.brightness = brightness
        maximum = Int(String(decoding: text.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)) ?? 1
    }

    /// Sets the brightness: 0 is off, and what is not off is at least the least that there is. pwrite(2)
    func set(percent: Int) throws(PanelError) {
        let value = percent <= 0 ? 0 : max(1, min(percent, 100) * maximum / 100)
        let text = "\(value)\n"
        let written = text.withCString { pwrite(brightness.descriptor, $0, text.utf8.count, 0) }
        guard written == text.utf8.count else { throw PanelError(folder, .write) }
    }
}
