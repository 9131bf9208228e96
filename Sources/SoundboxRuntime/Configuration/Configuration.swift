import SoundboxCore

/// The settings of one box, as `soundbox.conf` and its drop-ins give them.
public struct Configuration: Equatable, Sendable {
    /// `[box]`: who this is.
    public struct Box: Equatable, Sendable {
        /// `id`, the MQTT client id and one level of its topics.
        public var id = ""
        /// `name`, for people.
        public var name = ""
        /// `state_dir`, where the journal is.
        public var stateDirectory = "/var/lib/soundbox"
        /// `groups`, whose commands it takes.
        public var groups: [String] = []
    }

    /// `[broker]`: whom it listens to.
    public struct Broker: Equatable, Sendable {
        /// `host`, a name or an address.
        public var host = "localhost"
        /// Nil for the protocol's own: 1883, or 8883 with TLS.
        public var port: Int?
        /// `username`; nil to log in without.
        public var username: String?
        /// `password_file`, whose first line is the password.
        public var passwordFile: String?
        /// `ca_file`, PEM; it turns TLS on.
        public var caFile: String?
        /// `cert_file`, PEM.
        public var certificateFile: String?
        /// `key_file`, PEM.
        public var keyFile: String?
        /// `topic_root`, the first level of every topic.
        public var topicRoot = "soundbox"
        /// Seconds.
        public var keepalive = 30
    }

    /// `[voice]`: what it says things with.
    public struct Voice: Equatable, Sendable {
        /// `pack`, a name or a path.
        public var pack: String
        /// `packs_dir`, where names are looked up.
        public var packsDirectory: String
        /// Nil for the pack's own.
        public var style: String?

        /// The default voice.
        public init(pack: String = "zh-CN", packsDirectory: String = "/usr/share/soundbox/clips", style: String? = nil)
        {
            self.pack = pack
            self.packsDirectory = packsDirectory
            self.style = style
        }

        /// The pack's folder: a name is looked up in the packs' folder, a path is taken as it is.
        public var folder: String { pack.contains("/") ? pack : "\(packsDirectory)/\(pack)" }
    }

    /// `[audio]`: what it speaks through.
    public struct Audio: Equatable, Sendable {
        /// `device`, as ALSA names it.
        public var device: String
        /// `volume`, 0 to 100.
        public var volume: Int
        /// `idle`: what becomes of the device while there is nothing to say.
        public var idle = Idle.warm
        /// `standby_after`, in seconds.
        public var standbyAfter = 60
        /// `lead_in`, in milliseconds.
        public var leadIn = 0

        /// What becomes of the device while there is nothing to say.
        public enum Idle: String, Sendable, CaseIterable {
            /// It plays silence, where it can.
            case warm
            /// It is closed.
            case standby
        }

        /// The default device.
        public init(device: String = "default", volume: Int = 80) {
            self.device = device
            self.volume = volume
        }
    }

    /// `[policy]`: what it takes on.
    public struct Policy: Equatable, Sendable {
        /// `queue_limit`, how many notices may wait.
        public var queueLimit = 1000
    }

    /// `[box]`
    public var box = Box()
    /// `[broker]`
    public var broker = Broker()
    /// `[voice]`
    public var voice = Voice()
    /// `[audio]`
    public var audio = Audio()
    /// `[policy]`
    public var policy = Policy()

    /// The topics of this box.
    public var topics: Topics { Topics(root: broker.topicRoot, box: box.id, groups: box.groups) }

    /// The port to connect to.
    public var brokerPort: Int { broker.port ?? (broker.caFile == nil ? 1883 : 8883) }
}
