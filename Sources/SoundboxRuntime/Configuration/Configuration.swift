import SoundboxCore

/// The settings of one box, as `soundbox.conf` and its drop-ins give them.
public struct Configuration: Equatable, Sendable {
    /// `[box]`: who this is.
    public struct Box: Equatable, Sendable {
        public var id = ""
        public var name = ""
        public var stateDirectory = "/var/lib/soundbox"
        public var groups: [String] = []
    }

    /// `[broker]`: whom it listens to.
    public struct Broker: Equatable, Sendable {
        public var host = "localhost"
        /// Nil for the protocol's own: 1883, or 8883 with TLS.
        public var port: Int?
        public var username: String?
        public var passwordFile: String?
        public var caFile: String?
        public var certificateFile: String?
        public var keyFile: String?
        public var topicRoot = "soundbox"
        /// Seconds.
        public var keepalive = 30
    }

    /// `[voice]`: what it says things with.
    public struct Voice: Equatable, Sendable {
        public var pack: String
        public var packsDirectory: String
        /// Nil for the pack's own.
        public var style: String?

        /// The default voice.
        public init(pack: String = "zh-CN", packsDirectory: String = "/usr/share/soundbox/clips", style: String? = nil) {
            self.pack = pack
            self.packsDirectory = packsDirectory
            self.style = style
        }

        /// The pack's folder: a name is looked up in the packs' folder, a path is taken as it is.
        public var folder: String { pack.contains("/") ? pack : "\(packsDirectory)/\(pack)" }
    }

    /// `[audio]`: what it speaks through.
    public struct Audio: Equatable, Sendable {
        public var device: String
        public var volume: Int

        /// The default device.
        public init(device: String = "default", volume: Int = 80) {
            self.device = device
            self.volume = volume
        }
    }

    /// `[policy]`
    public struct Policy: Equatable, Sendable {
        public var queueLimit = 1000
    }

    public var box = Box()
    public var broker = Broker()
    public var voice = Voice()
    public var audio = Audio()
    public var policy = Policy()

    /// The topics of this box.
    public var topics: Topics { Topics(root: broker.topicRoot, box: box.id, groups: box.groups) }

    /// The port to connect to.
    public var brokerPort: Int { broker.port ?? (broker.caFile == nil ? 1883 : 8883) }
}
