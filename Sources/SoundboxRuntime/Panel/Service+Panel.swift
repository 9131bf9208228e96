import Glibc
import SoundboxCore
import SoundboxPlatform

// The panel's part of the control loop.

extension Service {
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
        panel.show(speaker.indication(at: now), at: now.monotonic)
    }
}
