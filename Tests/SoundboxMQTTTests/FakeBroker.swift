import Foundation
import TestBroker

/// A broker of a few lines for what a real one does not say: it accepts every CONNECT and answers each SUBSCRIBE with
/// the next of its codes.
final class FakeBroker: @unchecked Sendable {
    private let listener: Listener
    private let codes: [UInt8]

    init(subscribeCodes codes: [UInt8]) throws {
        listener = try Listener()
        self.codes = codes
        Thread.detachNewThread { [listener, codes] in FakeBroker.serve(listener.descriptor, codes) }
    }

    var port: UInt16 { listener.port }

    private static func serve(_ descriptor: Int32, _ codes: [UInt8]) {
        let peer = accept(descriptor, nil, nil)
        defer { close(peer) }
        var codes = codes[...]
        while let (type, body) = packet(from: peer) {
            switch type >> 4 {
            case 1: write([0x20, 2, 0, 0], to: peer)
            case 8: write([0x90, 3, body[0], body[1], codes.popFirst() ?? 0x80], to: peer)
            default: return
            }
        }
    }

    /// The first byte and what follows the remaining length, which is below 128 for all that is sent here.
    private static func packet(from peer: Int32) -> (UInt8, [UInt8])? {
        guard let head = bytes(2, from: peer), let body = bytes(Int(head[1]), from: peer) else { return nil }
        return (head[0], body)
    }

    private static func bytes(_ count: Int, from peer: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        return count == 0 || recv(peer, &buffer, count, Int32(MSG_WAITALL)) == count ? buffer : nil
    }

    private static func write(_ bytes: [UInt8], to peer: Int32) {
        _ = send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
