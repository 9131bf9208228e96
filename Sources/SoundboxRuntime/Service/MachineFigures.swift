import SoundboxCore
import SoundboxPlatform

/// What the machine says of itself, for telemetry.
enum MachineFigures {
    /// Memory and temperature; what a machine does not have is left out.
    static var members: [JSON.Member] {
        var members: [JSON.Member] = []
        if let memory = residentKilobytes { members.append(.init("memoryKB", JSON(memory))) }
        if let celsius = temperature { members.append(.init("temperatureC", JSON(celsius))) }
        return members
    }

    /// The resident set of this process. `/proc/self/status`, proc(5).
    private static var residentKilobytes: Int? {
        guard let status = text("/proc/self/status") else { return nil }
        for line in status.split(separator: "\n") where line.hasPrefix("VmRSS:") {
            return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
        return nil
    }

    /// The first thermal zone, which is the processor on a Raspberry Pi, in degrees Celsius.
    static var temperature: Int? {
        text("/sys/class/thermal/thermal_zone0/temp")
            .flatMap { Int($0.prefix { $0 != "\n" }) }.map { ($0 + 500) / 1000 }
    }

    private static func text(_ path: String) -> String? {
        guard let bytes = try? File.read(path) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
