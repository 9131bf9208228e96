import SoundboxCore
import SoundboxGPIO

extension ConfigurationKey {
    static let panel: [ConfigurationKey] = settings + lights + buttons

    private static let settings = [
        key("panel", "chip", \.panel.chip, line(most: 256)),
        key("panel", "amp_enable", \.panel.amplifier, amplifier),
        key("panel", "amp_lead", \.panel.amplifierLead, milliseconds(0...1000)),
        key("panel", "button_reset", \.panel.allowsReset, yesOrNo),
        key("panel", "brightness", \.panel.brightness, integer(1...100)),
        key("panel", "night_brightness", \.panel.nightBrightness, integer(0...100)),
        key("panel", "prompts", \.panel.prompts, prompts),
    ]

    private static let lights = Lights.Role.allCases.map { role in
        key("panel", "led_\(role.rawValue)", \.panel.lights[role], light)
    }

    private static let buttons = Buttons.Role.allCases.map { role in
        key("panel", "button_\(role.rawValue)", \.panel.buttons[role], button)
    }

    // MARK: - What a value may be

    static let discovery: Check<Bool> = { (text) throws(InvalidValue) in
        switch text {
        case "homeassistant": return true
        case "none": return false
        default: throw InvalidValue(allowed: "none or homeassistant")
        }
    }

    private static let outputLine = "[!]LINE, a GPIO line's name or number, with open-drain or open-source behind it,"

    private static let light: Check<LightSetting?> = { (text) throws(InvalidValue) in
        guard let setting = LightSetting(text) else {
            throw InvalidValue(allowed: "\(outputLine) or /sys/class/leds/NAME")
        }
        return setting
    }

    private static let amplifier: Check<GPIOSetting?> = { (text) throws(InvalidValue) in
        guard case .gpio(let setting) = LightSetting(text) else {
            throw InvalidValue(allowed: outputLine)
        }
        return setting
    }

    private static let button: Check<ButtonSetting?> = { (text) throws(InvalidValue) in
        guard let setting = ButtonSetting(text) else {
            throw InvalidValue(
                allowed: "[!]LINE, a GPIO line's name or number, with pull-up, pull-down, no-bias or as-is behind it, "
                    + "or /dev/input/… KEY")
        }
        return setting
    }

    private static let prompts: Check<Set<Prompt>> = { (text) throws(InvalidValue) in
        var prompts = Set<Prompt>()
        for name in text.split(separator: " ") where text != "none" {
            guard let prompt = Prompt(rawValue: String(name)) else {
                throw InvalidValue(
                    allowed: "none, or some of " + Prompt.allCases.map(\.rawValue).joined(separator: " "))
            }
            prompts.insert(prompt)
        }
        return prompts
    }
}
