import SoundboxCore
import SoundboxGPIO

/// The box's lights and buttons: holds their lines, and hands what happens there to Core's ``Lights`` and ``Buttons``.
///
/// A line that cannot be had is a problem of its own, said once, and tried again now and then: the daemon goes on without
/// it, a keypad may be plugged in again, and another program may let go of a line. Control thread.
final class PanelDriver {
    /// Nanoseconds between two attempts to get what is missing.
    private static let retryInterval: UInt64 = 15_000_000_000

    private let settings: Configuration.Panel
    private var lights: Lights
    private var buttons: Buttons
    private var openLights: [Lights.Role: any Light] = [:]
    private var openButtons: [Buttons.Role: any Button] = [:]
    /// What the lights were last told.
    private var shown: [Lights.Role: Int] = [:]
    private var percent = 100
    private var failures: [String: PanelError] = [:]
    private var retryDue: UInt64 = .max
    private var news: [(key: String, problem: PanelError?)] = []
    private var actions: [Buttons.Action] = []

    /// Takes all lines that can be had.
    init(_ settings: Configuration.Panel, at now: UInt64) {
        self.settings = settings
        lights = Lights(roles: Lights.Role.allCases.filter { settings.lights[$0] != nil }, at: now)
        buttons = Buttons(allowsReset: settings.allowsReset, at: now)
        open(at: now)
    }

    /// For poll(2): readable while a button has news.
    var descriptors: [Int32] { openButtons.values.map(\.descriptor) }

    /// The monotonic time at which ``takeActions(isRepeating:at:)`` and ``show(_:at:)`` are due.
    func deadline(after now: UInt64) -> UInt64 {
        min(buttons.deadline, openLights.isEmpty ? .max : lights.deadline(after: now), retryDue)
    }

    /// What the buttons mean, from the edges that waited and from the levels as they are.
    func takeActions(isRepeating: Bool, at now: UInt64) -> [Buttons.Action] {
        buttons.isRepeating = isRepeating
        for role in Buttons.Role.allCases {
            guard let button = openButtons[role] else { continue }
            do throws(PanelError) {
                // The edges first, each at its own time; then a lost one shows in the level.
                while let edge = try button.nextEdge() {
                    actions += buttons.edge(role, isPressed: edge.isPressed, at: edge.time)
                }
                actions += buttons.level(role, isPressed: try button.isPressed(), at: now)
            } catch {
                openButtons[role] = nil
                actions += buttons.remove(role, at: now)
                failed(PanelDriver.key(role), error, at: now)
            }
        }
        if now >= retryDue { open(at: now) }
        actions += buttons.tick(at: now)
        defer { actions = [] }
        return actions
    }

    /// Shows what there is to tell; writes only what changes.
    func show(_ indication: Indication, at now: UInt64) {
        percent = indication.isNight ? settings.nightBrightness : settings.brightness
        lights.show(indication, at: now)
        write(at: now)
    }

    /// Shows on a light that a press was felt.
    func answer(at now: UInt64) {
        lights.answer(at: now)
        write(at: now)
    }

    /// Everything dark, for good: a pin keeps its level when the program ends.
    func turnOff(at now: UInt64) {
        lights.turnOff()
        write(at: now)
    }

    /// What became of lines since the last time: by its key what is wrong, or nil where it no longer is.
    func takeNews() -> [(key: String, problem: PanelError?)] {
        defer { news = [] }
        return news
    }

    // MARK: - Lines

    private static func key(_ role: Lights.Role) -> String { "led_\(role.rawValue)" }
    private static func key(_ role: Buttons.Role) -> String { "button_\(role.rawValue)" }

    private func open(at now: UInt64) {
        retryDue = .max
        for role in Lights.Role.allCases where openLights[role] == nil {
            guard let setting = settings.lights[role] else { continue }
            do throws(PanelError) {
                openLights[role] = try setting.open(chip: settings.chip, name: "soundbox \(role.rawValue)")
                shown[role] = 0
                mended(PanelDriver.key(role))
            } catch {
                failed(PanelDriver.key(role), error, at: now)
            }
        }
        for role in Buttons.Role.allCases where openButtons[role] == nil {
            guard let setting = settings.buttons[role] else { continue }
            do throws(PanelError) {
                let button = try setting.open(chip: settings.chip, name: "soundbox \(role.rawValue)")
                actions += buttons.add(role, isPressed: try button.isPressed(), at: now)
                openButtons[role] = button
                mended(PanelDriver.key(role))
            } catch {
                failed(PanelDriver.key(role), error, at: now)
            }
        }
    }

    private func write(at now: UInt64) {
        let lit = lights.lit(at: now)
        for (role, light) in openLights {
            let wanted = lit.contains(role) ? percent : 0
            guard shown[role] != wanted else { continue }
            do throws(PanelError) {
                try light.set(percent: wanted)
                shown[role] = wanted
            } catch {
                openLights[role] = nil
                failed(PanelDriver.key(role), error, at: now)
            }
        }
    }

    private func failed(_ key: String, _ error: PanelError, at now: UInt64) {
        retryDue = now + PanelDriver.retryInterval
        guard failures.updateValue(error, forKey: key) != error else { return }
        news.append((key, error))
    }

    private func mended(_ key: String) {
        if failures.removeValue(forKey: key) != nil { news.append((key, nil)) }
    }
}
