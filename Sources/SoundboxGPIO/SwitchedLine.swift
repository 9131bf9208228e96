import CGPIOD

/// An output that is switched by a C function, for a thread that must not count references: an amplifier's enable line,
/// which the audio thread raises and drops.
///
/// Off when it is taken. It has to outlive whoever switches it.
public final class SwitchedLine: @unchecked Sendable {
    private let line: GPIOLine
    private let switched: UnsafeMutablePointer<GPIOLine.Switched>

    /// Takes the line.
    ///
    /// - Parameters:
    ///   - chip: the label, name or path of the GPIO chip; empty to look for it.
    ///   - name: what it is for, as `gpioinfo` shows it to others.
    public init(_ setting: GPIOSetting, chip: String, name: String) throws(PanelError) {
        line = try GPIOLine(setting, chip: chip, consumer: name, isOutput: true)
        switched = .allocate(capacity: 1)
        switched.initialize(to: line.switched)
    }

    deinit {
        switched.deallocate()
    }

    /// For ``function``; valid as long as this object.
    public var context: UnsafeMutableRawPointer { UnsafeMutableRawPointer(switched) }

    /// Switches the line whose ``context`` it gets. Neither blocks nor allocates. `gpiod_line_set_value`,
    /// `gpiod_line_request_set_value`
    public static let function: @convention(c) (UnsafeMutableRawPointer?, Bool) -> Void = { context, isOn in
        guard let switched = context?.assumingMemoryBound(to: GPIOLine.Switched.self) else { return }
        // Nobody here could be told of a failure; a line that was taken does not fail.
        _ = soundbox_gpio_set(switched.pointee.line, switched.pointee.offset, isOn ? 1 : 0)
    }
}
