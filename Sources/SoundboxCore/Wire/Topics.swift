/// The MQTT topics of one box.
public struct Topics: Equatable, Sendable {
    /// What a message that comes in is for.
    public enum Route: Equatable, Sendable {
        case notice
        case command
    }

    /// The first level of every topic, `soundbox`.
    public let root: String
    /// The box's id, the second level.
    public let box: String
    /// The groups whose commands this box takes, too.
    public let groups: [String]

    /// The topics of a box; every name is one level, see ``isLevel(_:)``.
    public init(root: String, box: String, groups: [String] = []) {
        self.root = root
        self.box = box
        self.groups = groups
    }

    /// Notices come in here.
    public var pay: String { "\(root)/\(box)/pay" }
    /// Commands come in here.
    public var command: String { "\(root)/\(box)/cmd" }
    /// Replies to commands go out here, also to those for many boxes.
    public var commandReply: String { "\(root)/\(box)/cmd/reply" }
    /// The retained status, and the will.
    public var status: String { "\(root)/\(box)/status" }
    /// What became of notices.
    public var receipt: String { "\(root)/\(box)/receipt" }
    /// Figures, once a minute.
    public var telemetry: String { "\(root)/\(box)/telemetry" }
    private var sharedCommands: [String] { ["\(root)/all/cmd"] + groups.map { "\(root)/group/\($0)/cmd" } }

    /// What the box subscribes to, all at QoS 1.
    public var subscriptions: [String] { [pay, command] + sharedCommands }

    /// What a message on `topic` is for; nil where the box has no business with it.
    public func route(_ topic: String) -> Route? {
        if topic == pay { return .notice }
        if topic == command || sharedCommands.contains(topic) { return .command }
        return nil
    }

    /// Whether `name` can be one level of a topic: not empty, no wildcard, no slash, no control character.
    public static func isLevel(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64
            && !name.unicodeScalars.contains {
                $0 == "/" || $0 == "+" || $0 == "#" || $0.value < 0x20 || $0 == "\u{7F}"
            }
    }
}
