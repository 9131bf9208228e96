import CMosquitto
import Glibc
import SoundboxPlatform
import Synchronization

/// What other threads and the mqtt thread hand each other. Nothing here blocks longer than it takes to append to an array.
final class MQTTMailbox: Sendable {
    /// A publication on its way, under the number that its caller was given.
    struct Entry {
        var ticket: UInt64
        var publication: MQTTPublication
    }

    /// The wish to end, with the last word and the moment (CLOCK_MONOTONIC, ns) after which nobody waits for it.
    struct Stop {
        var farewell: MQTTPublication?
        var deadline: UInt64
    }

    private struct State {
        var outbox: [Entry] = []
        var lastTicket: UInt64 = 0
        /// Publications in the outbox and in the library that are not yet sent (QoS 0) or acknowledged (QoS 1).
        var outstanding = 0
        var isConnected = false
        var stop: Stop?
    }

    /// More than this many publications are not kept while the broker is away; the library has 65,535 packet ids.
    static let capacity = 10_000

    private let state = Mutex(State())
    private let released = Atomic<UInt64>(0)
    /// Turns of the loop.
    let heartbeat = Atomic<UInt64>(0)
    /// Connections after the first.
    let reconnects = Atomic<UInt64>(0)
    /// Whether the thread is inside the library's blocking connect.
    let isConnecting = Atomic<Bool>(false)
    /// Whether `stop` has returned: from then on no event is delivered.
    let isClosed = Atomic<Bool>(false)
    /// Wakes the thread. `endEvent` says that it has ended.
    let wakeEvent: EventDescriptor
    let endEvent: EventDescriptor

    init() throws(MQTTError) {
        do throws(SystemError) {
            wakeEvent = try EventDescriptor()
            endEvent = try EventDescriptor()
        } catch {
            throw MQTTError("create eventfd", code: MOSQ_ERR_ERRNO)
        }
    }

    func wake() {
        wakeEvent.signal()
    }

    /// Takes a publication from any thread and returns its number.
    func post(_ publication: MQTTPublication) throws(MQTTError) -> UInt64 {
        let ticket = state.withLock { state -> Result<UInt64, MQTTError> in
            guard publication.qos == .atLeastOnce || state.isConnected else {
                return .failure(MQTTError("publish", code: MOSQ_ERR_NO_CONN))
            }
            guard state.outstanding < MQTTMailbox.capacity else {
                return .failure(MQTTError("publish", code: MOSQ_ERR_NOMEM, detail: "\(state.outstanding) are waiting"))
            }
            state.lastTicket += 1
            state.outstanding += 1
            state.outbox.append(Entry(ticket: state.lastTicket, publication: publication))
            return .success(state.lastTicket)
        }
        wake()
        return try ticket.get()
    }

    func takeOutbox() -> [Entry] {
        state.withLock { state in
            defer { state.outbox.removeAll() }
            return state.outbox
        }
    }

    /// `count` publications are sent, acknowledged or dropped.
    func settle(_ count: Int) {
        state.withLock { $0.outstanding -= count }
    }

    var isConnected: Bool { state.withLock { $0.isConnected } }

    /// With the connection goes what was not to be sent twice.
    func setConnected(_ isConnected: Bool) {
        state.withLock { state in
            state.isConnected = isConnected
            guard !isConnected else { return }
            let before = state.outbox.count
            state.outbox.removeAll { $0.publication.qos == .atMostOnce }
            state.outstanding -= before - state.outbox.count
        }
    }

    func release(batch: UInt64) {
        released.max(batch, ordering: .releasing)
        wake()
    }

    func isReleased(batch: UInt64) -> Bool {
        released.load(ordering: .acquiring) >= batch
    }

    var stop: Stop? { state.withLock { $0.stop } }

    /// False where it was asked before.
    func requestStop(_ stop: Stop) -> Bool {
        let isFirst = state.withLock { state in
            guard state.stop == nil else { return false }
            state.stop = stop
            return true
        }
        wake()
        return isFirst
    }
}
