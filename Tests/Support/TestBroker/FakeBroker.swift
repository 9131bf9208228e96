import Foundation

/// A broker of a few lines for what a real one does not say: it accepts every CONNECT, answers each SUBSCRIBE with the
/// next of its codes, and keeps what is published.
public final class FakeBroker: Sendable {
    private let listener: Listener
    /// `TOPIC PAYLOAD` of each PUBLISH.
    public let published = EventLog<String>()

    /// Serves one connection.
    ///
    /// - Parameter codes: of the SUBACKs; 0x80 is a refusal.
    public init(subscribeCodes codes: [UInt8]) throws {
        let listener = try Listener()
        self.listener = listener
        let published = published
        Thread.detachNewThread { FakeBroker.serve(listener, codes, published) }
    }

    /// Its TCP port.
    public var port: UInt16 { listener.port }

    private static func serve(_ listener: Listener, _ codes: [UInt8], _ published: EventLog<String>) {
        let peer = accept(listener.descriptor, nil, nil)
        defer { close(peer) }
        var codes = codes[...]
        while let (type, body) = packet(from: peer) {
            switch type >> 4 {
            case 1: write([0x20, 2, 0, 0], to: peer)
            case 3:
                let topicEnd = 2 + Int(body[0]) << 8 + Int(body[1])
                let hasNumber = type & 0x06 != 0
                let payload = body[(topicEnd + (hasNumber ? 2 : 0))...]
                published.append(
                    String(decoding: body[2..<topicEnd], as: UTF8.self) + " "
                        + String(decoding: payload, as: UTF8.self))
                if hasNumber { write([0x40, 2, body[topicEnd], body[topicEnd + 1]], to: peer) }
            case 8: write([0x90, 3, body[0], body[1], codes.popFirst() ?? 0x80], to: peer)
            case 12: write([0xD0, 0], to: peer)
            default: return
            }
        }
    }

    /// The first byte, and what follows the remaining length (MQTT 3.1.1, 2.2.3).
    private static func packet(from peer: Int32) -> (UInt8, [UInt8])? {
        guard let type = bytes(1, from: peer)?.first else { return nil }
        var length = 0
        for shift in stride(from: 0, to: 28, by: 7) {
            guard let byte = bytes(1, from: peer)?.first else { return nil }
            length |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return bytes(length, from: peer).map { (type, $0) } }
        }
        return nil
    }

    private static func bytes(_ count: Int, from peer: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        return count == 0 || recv(peer, &buffer, count, Int32(MSG_WAITALL)) == count ? buffer : nil
    }

    private static func write(_ bytes: [UInt8], to peer: Int32) {
        _ = send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
