import CGPIOD
import Glibc

/// A GPIO line that is ours: a `struct gpiod_line *` (libgpiod 1) or `struct gpiod_line_request *` (2) that is released
/// with the value. One thread.
struct GPIOLine: ~Copyable {
    /// For messages: `GPIO17 on gpiochip0`.
    let name: String
    private let chip: Chip
    private let offset: UInt32
    private let pointer: OpaquePointer

    /// What the kernel waits until an input is steady, with libgpiod 2; the gestures wait as long again in any case.
    static let debounceMicroseconds: UInt32 = 5000

    /// Takes a line. `gpiod_line_request`, `gpiod_chip_request_lines`
    ///
    /// - Parameters:
    ///   - chip: its label, name or path; empty to look for it.
    ///   - consumer: what `gpioinfo` shows as the line's user.
    ///   - isOutput: an output is off at first; of an input the edges are read.
    init(_ setting: GPIOSetting, chip chipName: String, consumer: String, isOutput: Bool) throws(PanelError) {
        let (path, offset) = try Chip.find(chipName, line: setting.line)
        let chip = try Chip(path: path, for: setting.line)
        let full = "\(setting.line) on \(path.split(separator: "/").last ?? "")"
        var flags: soundbox_gpio_flags.RawValue = 0
        if isOutput { flags |= SOUNDBOX_GPIO_OUTPUT.rawValue }
        if setting.isActiveLow { flags |= SOUNDBOX_GPIO_ACTIVE_LOW.rawValue }
        switch setting.bias {
        case .pullUp: flags |= SOUNDBOX_GPIO_PULL_UP.rawValue
        case .pullDown: flags |= SOUNDBOX_GPIO_PULL_DOWN.rawValue
        case .disabled: flags |= SOUNDBOX_GPIO_NO_BIAS.rawValue
        case .asIs, nil: break
        }
        switch setting.drive {
        case .openDrain: flags |= SOUNDBOX_GPIO_OPEN_DRAIN.rawValue
        case .openSource: flags |= SOUNDBOX_GPIO_OPEN_SOURCE.rawValue
        case nil: break
        }
        guard
            let pointer = soundbox_gpio_request(
                chip.pointer, offset, consumer, flags, GPIOLine.debounceMicroseconds, 0)
        else {
            let code = errno
            throw PanelError(full, .request, code: code, holder: chip.holder(of: offset))
        }
        name = full
        self.pointer = pointer
        self.offset = offset
        self.chip = chip
    }

    deinit {
        soundbox_gpio_release(pointer)
    }

    /// What it takes to switch an output without this handle.
    struct Switched: BitwiseCopyable {
        let line: OpaquePointer
        let offset: UInt32
    }

    var switched: Switched { Switched(line: pointer, offset: offset) }

    /// Readable while an edge waits, for poll(2). `gpiod_line_event_get_fd`, `gpiod_line_request_get_fd`
    var descriptor: Int32 { soundbox_gpio_descriptor(pointer) }

    /// Whether the line is active. `gpiod_line_get_value`, `gpiod_line_request_get_value`
    func get() throws(PanelError) -> Bool {
        let value = soundbox_gpio_get(pointer, offset)
        guard value >= 0 else { throw PanelError(name, .read) }
        return value == 1
    }

    /// Makes an output active or not. `gpiod_line_set_value`, `gpiod_line_request_set_value`
    func set(_ isActive: Bool) throws(PanelError) {
        guard soundbox_gpio_set(pointer, offset, isActive ? 1 : 0) == 0 else { throw PanelError(name, .write) }
    }

    /// The next edge that waits; nil where none does. `gpiod_line_event_read`, `gpiod_line_request_read_edge_events`
    func nextEdge() throws(PanelError) -> Edge? {
        var isActive: Int32 = 0
        var time: UInt64 = 0
        let count = soundbox_gpio_edge(pointer, &isActive, &time)
        guard count >= 0 else { throw PanelError(name, .read) }
        return count == 0 ? nil : Edge(isPressed: isActive == 1, time: time)
    }
}
