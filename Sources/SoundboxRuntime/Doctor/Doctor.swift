import SoundboxAudio
import SoundboxCore
import SoundboxPlatform

/// Looks at everything that a box needs, and says for each part that it is well, or what is wrong and what helps.
///
/// Changes nothing, and can be run beside the daemon: it opens the sound device only as another program would, and
/// visits the broker under a name of its own. One thread; takes seconds where a network does not answer.
public struct Doctor {
    /// How bad it is.
    public enum Level: String, Comparable, Sendable {
        case ok, warning, error

        /// A warning is worse than ok, an error is the worst.
        public static func < (left: Level, right: Level) -> Bool {
            func rank(_ level: Level) -> Int {
                switch level {
                case .ok: 0
                case .warning: 1
                case .error: 2
                }
            }
            return rank(left) < rank(right)
        }
    }

    /// One thing that was looked at.
    public struct Finding: Equatable, Sendable {
        /// How bad it is.
        public var level: Level
        /// What was looked at: `card`, `broker`, …
        public var part: String
        /// What was found.
        public var text: String
        /// What to do about it: one command or one setting.
        public var remedy: String?
    }

    let configuration: Configuration
    private let warnings: [String]
    /// The file that settings are to be changed in.
    let file: String
    /// Whether each card is to be heard.
    let isAloud: Bool
    private let report: (Finding) -> Void
    private(set) var worst = Level.ok

    /// - Parameters:
    ///   - configuration: of the box that is looked at.
    ///   - warnings: what there was to say about it.
    ///   - file: where it was read from.
    ///   - isAloud: whether to say the pack's test prompt on each card.
    ///   - report: called for each finding as it is made.
    public init(
        _ configuration: Configuration, warnings: [String], file: String, isAloud: Bool,
        report: @escaping (Finding) -> Void
    ) {
        self.configuration = configuration
        self.warnings = warnings
        self.file = file
        self.isAloud = isAloud
        self.report = report
    }

    /// Looks at everything; the worst of what was found.
    public mutating func examine() -> Level {
        for warning in warnings { found(.warning, "config", warning, remedy: "soundbox config check \(file)") }
        let voice = checkPack()
        checkService()
        checkCards(voice)
        checkBroker()
        checkJournal()
        checkClock()
        checkPanel()
        checkMachine()
        return worst
    }

    mutating func found(_ level: Level, _ part: String, _ text: String, remedy: String? = nil) {
        worst = max(worst, level)
        report(Finding(level: level, part: part, text: text, remedy: remedy))
    }

    // MARK: - Voice and service

    /// The voice, where the pack can be read.
    private mutating func checkPack() -> Voice? {
        let folder = configuration.voice.folder
        let check = PackCheck(folder: folder)
        let errors = check.findings.filter { $0.level == .error }
        let name = check.pack.map { "\($0.id) \($0.version), \($0.language), voice \($0.voice)" } ?? folder
        if let first = errors.first {
            found(
                .error, "pack", "\(name): \(errors.count) errors, the first: \(first.file): \(first.text)",
                remedy: "soundbox pack check \(folder); or another [voice] pack in \(file)")
        } else {
            found(.ok, "pack", name)
        }
        do throws(VoiceError) {
            let voice = try Voice(folder: folder)
            let known = voice.planner.pack.styleNames
            if let style = configuration.voice.style, !known.contains(style) {
                found(
                    .error, "pack", "has no amount style \(style)",
                    remedy: "[voice] style in \(file): \(known.joined(separator: " or "))")
            }
            return voice
        } catch {
            return nil
        }
    }

    /// Where the daemon keeps what only one of its kind may touch.
    var stateDirectory: String { configuration.box.stateDirectory }

    /// The process of the daemon that uses this configuration's state; nil where none does.
    var daemon: Int32? { ProcessLock.holder(of: Service.lockFile(in: stateDirectory)) }

    private mutating func checkService() {
        if let daemon {
            found(.ok, "service", "runs as process \(daemon)")
        } else {
            found(.warning, "service", "does not run", remedy: "systemctl enable --now soundbox")
        }
    }
}
