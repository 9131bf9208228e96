import Synchronization

/// A queue of small plain values from one thread to one other: fixed memory, no lock, no allocation.
struct Mailbox<Message: BitwiseCopyable>: ~Copyable {
    private let capacity: Int
    private let storage: UnsafeMutablePointer<Message>
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    /// How many more messages fit. Sender only.
    var free: Int { capacity - (tail.load(ordering: .relaxed) - head.load(ordering: .acquiring)) }

    /// Sends a message; false where the box is full. Sender only.
    func push(_ message: Message) -> Bool {
        guard free > 0 else { return false }
        let position = tail.load(ordering: .relaxed)
        (storage + position % capacity).initialize(to: message)
        tail.store(position + 1, ordering: .releasing)
        return true
    }

    /// The message behind `index` others that are not taken yet, if there is one. Receiver only.
    func peek(_ index: Int) -> Message? {
        let position = head.load(ordering: .relaxed) + index
        guard position < tail.load(ordering: .acquiring) else { return nil }
        return storage[position % capacity]
    }

    /// The oldest message, if there is one. Receiver only.
    func pop() -> Message? {
        let position = head.load(ordering: .relaxed)
        guard position < tail.load(ordering: .acquiring) else { return nil }
        let message = storage[position % capacity]
        head.store(position + 1, ordering: .releasing)
        return message
    }
}
