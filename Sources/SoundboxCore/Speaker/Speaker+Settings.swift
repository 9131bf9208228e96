extension Speaker {
    /// What the box is and how it shall behave.
    public struct Settings: Sendable {
        /// The topics of this box.
        public var topics: Topics
        /// What people call the box; may be empty.
        public var name: String
        /// The program's version.
        public var version: String
        /// 0–100, until somebody sets another.
        public var volume: Int
        /// The amount style; nil for the voice pack's own.
        public var style: String?
        /// How many notices may wait in memory; what comes on top waits in the journal.
        public var queueLimit: Int
        /// When more notices than this wait, they are merged into summaries; 0 never merges.
        public var mergeAfter: Int
        /// From what age a notice is late.
        public var lateness: Lateness
        /// When the volume is capped and lights are dim; nil for never.
        public var night: Night?
        /// Whether notices and commands without a signature are refused.
        public var requiresSignature: Bool
        /// What it says of itself.
        public var prompts: Set<Prompt>
        /// Whether it announces itself by Home Assistant's MQTT discovery.
        public var announcesToHomeAssistant = false

        /// Settings with the defaults of `soundbox.conf`.
        public init(
            topics: Topics, name: String = "", version: String, volume: Int = 80, style: String? = nil,
            queueLimit: Int = 1000, mergeAfter: Int = 5, lateness: Lateness = Lateness(), night: Night? = nil,
            requiresSignature: Bool = false, prompts: Set<Prompt> = []
        ) {
            self.topics = topics
            self.name = name
            self.version = version
            self.volume = volume
            self.style = style
            self.queueLimit = queueLimit
            self.mergeAfter = mergeAfter
            self.lateness = lateness
            self.night = night
            self.requiresSignature = requiresSignature
            self.prompts = prompts
        }
    }

    /// The hours in which the box is not loud.
    public struct Night: Equatable, Sendable {
        /// The first minute since midnight in the box's time zone; may be later than ``to``.
        public var from: Int
        /// The first minute that is no longer in it.
        public var to: Int
        /// The loudest in this time, 0–100.
        public var volume: Int

        /// A cap from one time of day to another.
        public init(from: Int, to: Int, volume: Int) {
            self.from = from
            self.to = to
            self.volume = volume
        }

        /// Whether a time of day, in minutes since midnight, is in it.
        func contains(_ minutes: Int) -> Bool {
            from <= to ? (from..<to).contains(minutes) : minutes >= from || minutes < to
        }

        /// Minutes from a time of day to the next edge, 1 to 1440.
        func minutesToEdge(from minutes: Int) -> Int {
            func until(_ edge: Int) -> Int { edge > minutes ? edge - minutes : edge - minutes + 1440 }
            return min(until(from), until(to))
        }
    }

    /// What a box remembers of itself over a restart, beside notices and commands.
    public struct Kept: Equatable, Sendable {
        /// 0–100.
        public var volume: Int
        /// Whether it was muted.
        public var isMuted: Bool
        /// The wall clock when it was last known to be right, to the minute; nil where it never was.
        public var trustedAt: Timestamp?

        /// What an earlier life left.
        public init(volume: Int, isMuted: Bool = false, trustedAt: Timestamp? = nil) {
            self.volume = volume
            self.isMuted = isMuted
            self.trustedAt = trustedAt
        }
    }

    /// What it says things with.
    public struct Voice: Sendable {
        /// Plans with the voice pack.
        public var planner: Planner
        /// The amount style; nil for the voice pack's own.
        public var style: String?

        /// A voice and the style that the settings ask for.
        public init(planner: Planner, style: String?) {
            self.planner = planner
            self.style = style
        }
    }
}
