import CGPIOD
import Glibc
import SoundboxPlatform

/// An open GPIO chip: a `struct gpiod_chip *` that closes itself.
struct Chip: ~Copyable {
    let pointer: OpaquePointer
    /// `/dev/gpiochip0`
    let path: String

    /// `gpiod_chip_open`
    init(path: String, for line: String) throws(PanelError) {
        guard let pointer = gpiod_chip_open(path) else { throw PanelError("\(line) on \(path)", .open) }
        self.pointer = pointer
        self.path = path
    }

    deinit {
        gpiod_chip_close(pointer)
    }

    /// What the driver calls the chip: `pinctrl-bcm2711`. `gpiod_chip_label`, `gpiod_chip_info_get_label`
    var label: String { Chip.text { soundbox_gpio_label(pointer, $0, $1) } }

    /// The offset of a line by its name, or by its offset as text; nil where the chip has no such line.
    /// `gpiod_chip_find_line`, `gpiod_chip_get_line_offset_from_name`
    func offset(of line: String) -> UInt32? {
        if let offset = UInt32(line) { return offset < UInt32(max(0, soundbox_gpio_count(pointer))) ? offset : nil }
        return UInt32(exactly: soundbox_gpio_find(pointer, line))
    }

    /// Who holds a line; nil for nobody. `gpiod_line_consumer`, `gpiod_line_info_get_consumer`
    func holder(of offset: UInt32) -> String? {
        let text = Chip.text { soundbox_gpio_holder(pointer, offset, $0, $1) }
        return text.isEmpty ? nil : text
    }

    private static func text(_ fill: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let base = buffer.baseAddress, fill(base, buffer.count) == 0 else { return "" }
            return String(cString: base)
        }
    }

    // MARK: - Finding

    /// Labels of the chips behind a Raspberry Pi's header, from the first to the fifth.
    private static let raspberryPi = ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"]

    /// Finds the chip of a line.
    ///
    /// Numbers of chips change with the kernel (on a Pi 5 they did), labels do not. Without a name the line's own name
    /// tells; an offset is then one of a Raspberry Pi's header, or of the only chip there is.
    ///
    /// - Parameter name: a path, a label, a name like `gpiochip0`, or empty.
    static func find(_ name: String, line: String) throws(PanelError) -> (path: String, offset: UInt32) {
        if name.hasPrefix("/") { return (name, try offset(of: line, on: Chip(path: name, for: line))) }
        let names: [String]
        do {
            names = try File.names(in: "/dev", suffix: "").filter { $0.hasPrefix("gpiochip") }
        } catch {
            throw PanelError(line, .findChip, code: error.code)
        }
        var failure = PanelError(name.isEmpty ? line : "\(line) on \(name)", .findChip, code: ENOENT)
        for chipName in names {
            do throws(PanelError) {
                let chip = try Chip(path: "/dev/\(chipName)", for: line)
                let label = chip.label
                let isMeant =
                    !name.isEmpty
                    ? name == label || name == chipName
                    : UInt32(line) == nil || names.count == 1 || raspberryPi.contains(label)
                guard isMeant else { continue }
                return (chip.path, try offset(of: line, on: chip))
            } catch {
                // Of several chips that may be meant another one may have the line.
                failure = error
                if !name.isEmpty, error.operation == .findLine { break }
            }
        }
        throw failure
    }

    private static func offset(of line: String, on chip: borrowing Chip) throws(PanelError) -> UInt32 {
        guard let offset = chip.offset(of: line) else {
            throw PanelError("\(line) on \(chip.label)", .findLine, code: ENOENT)
        }
        return offset
    }
}
