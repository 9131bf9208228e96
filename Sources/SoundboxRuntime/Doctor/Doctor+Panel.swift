import SoundboxCore
import SoundboxGPIO

// The lights, the buttons and the amplifier's line.

extension Doctor {
    mutating func checkPanel() {
        let panel = configuration.panel
        for role in Lights.Role.allCases {
            guard let setting = panel.lights[role] else { continue }
            check("led_\(role.rawValue)") { () throws(PanelError) in try setting.examine(chip: panel.chip) }
        }
        for role in Buttons.Role.allCases {
            guard let setting = panel.buttons[role] else { continue }
            check("button_\(role.rawValue)") { () throws(PanelError) in try setting.examine(chip: panel.chip) }
        }
        if let setting = panel.amplifier {
            check("amp_enable") { () throws(PanelError) in try setting.examine(chip: panel.chip) }
        }
        if panel.lights.isEmpty, panel.buttons.isEmpty { found(.ok, "panel", "no lights and no buttons are set") }
    }

    private mutating func check(_ key: String, _ examine: () throws(PanelError) -> String) {
        do throws(PanelError) {
            found(.ok, "panel", "\(key): \(try examine())")
        } catch {
            found(.error, "panel", "\(key): \(error)", remedy: error.remedy)
        }
    }
}
