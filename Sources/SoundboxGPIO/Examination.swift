import CGPIOD
import Glibc
import SoundboxPlatform

// Looking without touching: what a line is, and whether it could be had.

extension LightSetting {
    /// What the light is, in words; throws what would keep it from being opened. Changes nothing.
    public func examine(chip: String) throws(PanelError) -> String {
        switch self {
        case .gpio(let setting): return try setting.examine(chip: chip)
        case .led(let folder):
            guard access("\(folder)/brightness", W_OK) == 0 else { throw PanelError(folder, .open) }
            return folder
        }
    }
}

extension ButtonSetting {
    /// What the button is, in words; throws what would keep it from being opened. Changes nothing.
    public func examine(chip: String) throws(PanelError) -> String {
        switch self {
        case .gpio(let setting): return try setting.examine(chip: chip)
        case .key(let device, let code):
            _ = try InputKey(device: device, code: code)
            return "key \(code) of \(device)"
        }
    }
}

extension GPIOSetting {
    /// What the line is, in words; throws what would keep it from being taken. A line that the daemon itself has is well.
    /// Changes nothing.
    public func examine(chip name: String) throws(PanelError) -> String {
        let (path, offset) = try Chip.find(name, line: line)
        let chip = try Chip(path: path, for: line)
        let text = "\(line) is line \(offset) of \(path), \(chip.label)"
        guard let holder = chip.holder(of: offset) else { return "\(text), free" }
        guard holder.hasPrefix("soundbox") else {
            throw PanelError("\(line) on \(path)", .request, code: EBUSY, holder: holder)
        }
        return "\(text), held by the daemon"
    }
}
