/// Where a light is, as the configuration names it.
public enum LightSetting: Equatable, Sendable {
    /// `[!]LINE [OPTION]`: a GPIO line by its name or offset, `!` for active-low.
    case gpio(GPIOSetting)
    /// `/sys/class/leds/NAME`: a light that the kernel drives.
    case led(String)

    /// Reads a setting; nil for what cannot be one.
    public init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard let first = words.first else { return nil }
        if first.hasPrefix("/") {
            guard words.count == 1 else { return nil }
            self = .led(first)
        } else {
            guard let gpio = GPIOSetting(words, options: GPIOSetting.outputOptions) else { return nil }
            self = .gpio(gpio)
        }
    }
}

/// Where a button is, as the configuration names it.
public enum ButtonSetting: Equatable, Sendable {
    /// `[!]LINE [OPTION]`: a GPIO line by its name or offset, `!` for active-low.
    case gpio(GPIOSetting)
    /// `/dev/input/by-path/… KEY`: a key of an input device, by its name or code.
    case key(device: String, code: Int)

    /// Reads a setting; nil for what cannot be one.
    public init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard let first = words.first else { return nil }
        if first.hasPrefix("/") {
            guard words.count == 2, let code = KeyName.code(words[1]) else { return nil }
            self = .key(device: first, code: code)
        } else {
            guard var gpio = GPIOSetting(words, options: GPIOSetting.inputOptions) else { return nil }
            // A switch to ground or to the supply, which leaves the line open when it is not pressed.
            gpio.bias = gpio.bias ?? (gpio.isActiveLow ? .pullUp : .pullDown)
            self = .gpio(gpio)
        }
    }
}

/// A GPIO line and how it is wired.
public struct GPIOSetting: Equatable, Sendable {
    /// The resistor inside the chip.
    public enum Bias: String, Sendable {
        case pullUp = "pull-up"
        case pullDown = "pull-down"
        /// None: there is one on the board.
        case disabled = "no-bias"
        /// As the device tree or the boot loader left it.
        case asIs = "as-is"
    }

    /// How an output is driven.
    public enum Drive: String, Sendable {
        case openDrain = "open-drain"
        case openSource = "open-source"
    }

    /// A line's name (`GPIO17`), or its offset on the chip (`17`).
    public var line: String
    /// Whether a low level is on or pressed.
    public var isActiveLow: Bool
    /// Nil: an output is left as it is.
    public var bias: Bias?
    /// Nil for push-pull.
    public var drive: Drive?

    /// A line, active-high unless it is told.
    public init(line: String, isActiveLow: Bool = false, bias: Bias? = nil, drive: Drive? = nil) {
        self.line = line
        self.isActiveLow = isActiveLow
        self.bias = bias
        self.drive = drive
    }

    static let inputOptions: Set<String> = ["pull-up", "pull-down", "no-bias", "as-is"]
    static let outputOptions: Set<String> = ["open-drain", "open-source"]

    init?(_ words: [String], options: Set<String>) {
        guard let first = words.first, words.count <= 2 else { return nil }
        let name = first.hasPrefix("!") ? first.dropFirst() : first[...]
        // The kernel's own limit for names is 31 bytes.
        guard !name.isEmpty, name.utf8.count < 32 else { return nil }
        self.init(line: String(name), isActiveLow: first.hasPrefix("!"))
        guard let option = words.dropFirst().first else { return }
        guard options.contains(option) else { return nil }
        bias = Bias(rawValue: option)
        drive = Drive(rawValue: option)
    }
}
