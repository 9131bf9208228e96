import Glibc
import SoundboxCore
import SoundboxGPIO
import SoundboxPlatform

// The panel's part of the control loop.

extension Service {
    /// The amplifier's line, where there is one. Without it the box goes on: the amplifier may be on by itself.
    static func amplifier(_ settings: Configuration.Panel, log: Log) -> SwitchedLine? {
        guard let setting = settings.amplifier else { return nil }
        do throws(PanelError) {
            return try SwitchedLine(setting, chip: settings.chip, name: "soundbox amplifier")
        } catch {
            log.write(.error, "amp_enable: \(error)")
            if let remedy = error.remedy { log.write(.notice, "amp_enable: \(remedy)") }
            return nil
        }
    }

    /// Where the unit leaves word that the watchdog ended the life before; in a folder that a reboot empties.
    private static var hungMark: String? { Environment["RUNTIME_DIRECTORY"].map { "\($0)/hung" } }

    /// Tells what the life before left behind.
    func startPanel() {
        guard let mark = Service.hungMark, File.exists(mark) else { return }
        log.write(.error, "the watchdog ended the life before this one")
        handle(.wasHung)
    }

    /// What was pressed, and what became of the lines.
    func takePresses() {
        for action in panel.takeActions(isRepeating: speaker.isRepeating, at: SystemClock.monotonic) {
            handle(.button(action))
        }
        for (key, problem) in panel.takeNews() {
            handle(.line(key, problem: problem?.description))
            if let remedy = problem?.remedy { log.write(.notice, "\(key): \(remedy)") }
        }
    }

    /// Lets the lights show what became of the turn.
    func showPanel() {
        let now = now()
        let indication = speaker.indication(at: now)
        // It is over, for the next life too.
        if wasHung, !indication.causes.contains(.hung), let mark = Service.hungMark { unlink(mark) }
        wasHung = indication.causes.contains(.hung)
        panel.show(indication, at: now.monotonic)
    }
}
