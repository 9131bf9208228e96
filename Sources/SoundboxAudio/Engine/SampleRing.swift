import Synchronization

/// A ring of mono frames between one producer and one consumer: the control thread writes, the audio thread reads.
///
/// A position counts frames from the beginning of time and only grows; 64 bits last for ever. Each side stores its own
/// index with release and reads the peer's with acquire, so that the samples behind an index are visible with it. The
/// consumer names the position it reads from, and gives memory back apart from reading: what was played stays for a
/// while, and can be said again.
struct SampleRing: ~Copyable {
    let capacity: Int
    private let mask: Int
    private let storage: UnsafeMutablePointer<Int16>
    private let writtenIndex = Atomic<Int>(0)
    private let releasedIndex = Atomic<Int>(0)

    /// - Parameter capacity: in frames, a power of two.
    init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a ring's capacity is a power of two")
        self.capacity = capacity
        mask = capacity - 1
        storage = .allocate(capacity: capacity)
        storage.initialize(repeating: 0, count: capacity)
    }

    deinit {
        storage.deallocate()
    }

    /// The position behind the last frame written. Either side.
    var written: Int { writtenIndex.load(ordering: .acquiring) }

    /// The position before which the producer may overwrite. Either side.
    var released: Int { releasedIndex.load(ordering: .acquiring) }

    /// How many frames the producer may write now, at least. Either side.
    var free: Int { capacity - (written - released) }

    /// Writes up to `free` frames and publishes them. Producer only.
    ///
    /// - Parameter fill: is given room, once or twice (the ring's end), and returns how many frames it put there;
    ///   fewer than fit ends it.
    func write(_ fill: (UnsafeMutableBufferPointer<Int16>) -> Int) {
        var position = writtenIndex.load(ordering: .relaxed)
        var room = free
        while room > 0 {
            let place = position & mask
            let part = min(room, capacity - place)
            let count = fill(UnsafeMutableBufferPointer(start: storage + place, count: part))
            position += count
            room -= count
            if count < part { break }
        }
        writtenIndex.store(position, ordering: .releasing)
    }

    /// The frames from `position` that lie in one piece, at most `count`; they must be written and not released.
    /// Consumer only.
    func read(at position: Int, count: Int) -> UnsafeBufferPointer<Int16> {
        let place = position & mask
        return UnsafeBufferPointer(start: storage + place, count: min(count, capacity - place))
    }

    /// Gives the frames before `position` back to the producer. Never goes backwards. Consumer only.
    func release(upTo position: Int) {
        if position > releasedIndex.load(ordering: .relaxed) {
            releasedIndex.store(position, ordering: .releasing)
        }
    }
}
