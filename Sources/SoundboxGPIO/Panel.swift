/// One change of a button.
public struct Edge: Equatable, Sendable {
    /// Whether it went down.
    public var isPressed: Bool
    /// When, in nanoseconds of CLOCK_MONOTONIC, by the kernel.
    public var time: UInt64

    /// A change at a time.
    public init(isPressed: Bool, time: UInt64) {
        self.isPressed = isPressed
        self.time = time
    }
}

/// A light, whichever backend drives it. Control thread.
public protocol Light: AnyObject {
    /// 0 is off; what can only be on or off is on at any other. A write to the kernel, which does not wait.
    func set(percent: Int) throws(PanelError)
}

/// A button, whichever backend it comes through. Control thread.
public protocol Button: AnyObject {
    /// Readable while an edge waits, for poll(2).
    var descriptor: Int32 { get }
    /// The next edge that waits; nil where none does.
    func nextEdge() throws(PanelError) -> Edge?
    /// Whether it is down right now.
    func isPressed() throws(PanelError) -> Bool
}

extension LightSetting {
    /// Opens the light, which is dark then.
    ///
    /// - Parameters:
    ///   - chip: the label, name or path of the GPIO chip; empty to look for it.
    ///   - name: what it is for, as `gpioinfo` shows it to others.
    public func open(chip: String, name: String) throws(PanelError) -> any Light {
        switch self {
        case .gpio(let setting):
            return GPIOLight(line: try GPIOLine(setting, chip: chip, consumer: name, isOutput: true))
        case .led(let folder):
            let light = LEDLight(led: try SystemLED(folder))
            try light.set(percent: 0)
            return light
        }
    }
}

extension ButtonSetting {
    /// Opens the button.
    ///
    /// - Parameters:
    ///   - chip: the label, name or path of the GPIO chip; empty to look for it.
    ///   - name: what it is for, as `gpioinfo` shows it to others.
    public func open(chip: String, name: String) throws(PanelError) -> any Button {
        switch self {
        case .gpio(let setting):
            return GPIOButton(line: try GPIOLine(setting, chip: chip, consumer: name, isOutput: false))
        case .key(let device, let code): return KeyButton(key: try InputKey(device: device, code: code))
        }
    }
}

// A handle cannot be copied and so cannot stand in an array of either kind; each of these owns one.

private final class GPIOLight: Light {
    private let line: GPIOLine

    init(line: consuming GPIOLine) {
        self.line = line
    }

    func set(percent: Int) throws(PanelError) { try line.set(percent > 0) }
}

private final class LEDLight: Light {
    private let led: SystemLED

    init(led: consuming SystemLED) {
        self.led = led
    }

    func set(percent: Int) throws(PanelError) { try led.set(percent: percent) }
}

private final class GPIOButton: Button {
    private let line: GPIOLine

    init(line: consuming GPIOLine) {
        self.line = line
    }

    var descriptor: Int32 { line.descriptor }
    func nextEdge() throws(PanelError) -> Edge? { try line.nextEdge() }
    func isPressed() throws(PanelError) -> Bool { try line.get() }
}

private final class KeyButton: Button {
    private let key: InputKey

    init(key: consuming InputKey) {
        self.key = key
    }

    var descriptor: Int32 { key.descriptor }
    func nextEdge() throws(PanelError) -> Edge? { try key.nextEdge() }
    func isPressed() throws(PanelError) -> Bool { try key.get() }
}
