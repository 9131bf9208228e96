import Glibc
import SoundboxPlatform

/// A light or a button that cannot be used: which, what was tried, and the errno.
public struct PanelError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried.
    public enum Operation: String, Sendable {
        /// Finding the chip by its label, name or path.
        case findChip = "find the chip"
        /// Finding the line by its name or number.
        case findLine = "find the line"
        /// Opening the chip, the light or the input device.
        case open
        /// Taking the line for ourselves.
        case request
        case read
        case write
    }

    /// The line as it was configured, with its chip where that is known.
    public var line: String
    /// What was tried.
    public var operation: Operation
    /// The errno.
    public var code: Int32
    /// Who else has the line, where somebody does.
    public var holder: String?

    /// The error of a call that has just failed.
    public init(_ line: String, _ operation: Operation, code: Int32 = errno, holder: String? = nil) {
        self.line = line
        self.operation = operation
        self.code = code
        self.holder = holder
    }

    /// `GPIO17 on gpiochip0: request: Device or resource busy, held by "spi0 CS0"`
    public var description: String {
        "\(line): \(operation.rawValue): \(SystemError.text(code))" + (holder.map { ", held by \"\($0)\"" } ?? "")
    }

    /// What to do about it; nil where there is nothing to advise.
    public var remedy: String? {
        switch (operation, code) {
        case (_, EACCES), (_, EPERM):
            "the user soundbox must be in the group gpio (chips), or systemd/panel.rules must be installed (lights, keys)"
        case (_, EROFS):
            "the unit makes /sys read-only: install the drop-in systemd/panel-leds.conf"
        case (.request, EBUSY):
            "free the line: stop the other program, or remove the overlay that claims it from config.txt"
        case (.findChip, ENOENT): "gpiodetect lists the chips with their labels; set panel.chip to one of them"
        case (.findLine, _): "gpioinfo lists the lines of each chip with their numbers and names"
        case (.open, ENOENT), (.open, ENODEV): "the light or the input device is not there: is its overlay loaded?"
        default: nil
        }
    }
}
