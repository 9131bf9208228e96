/// The announcements that the audio thread knows of, oldest first: fixed memory.
struct AnnouncementQueue: ~Copyable {
    private let storage = UnsafeMutablePointer<Announcement>.allocate(capacity: AudioShared.announcementLimit)
    private var head = 0
    private var count = 0

    deinit {
        storage.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    var first: Announcement? { count == 0 ? nil : storage[head] }

    /// The position behind the last of them; nil where there is none.
    var end: Int? { count == 0 ? nil : storage[place(count - 1)].end }

    /// The announcement to which the frame at `position` belongs.
    func announcement(at position: Int) -> Announcement? {
        for index in 0..<count {
            let candidate = storage[place(index)]
            if position < candidate.end { return candidate.start <= position ? candidate : nil }
        }
        return nil
    }

    /// The control thread never sends more than there is room for.
    mutating func append(_ announcement: Announcement) {
        (storage + place(count)).initialize(to: announcement)
        count += 1
    }

    mutating func markFirstAsBegun() {
        storage[head].began = true
    }

    /// Gives all of them another gain.
    mutating func setGain(_ gain: Int32) {
        for index in 0..<count { storage[place(index)].gain = gain }
    }

    mutating func removeFirst() {
        head = place(1)
        count -= 1
    }

    private func place(_ index: Int) -> Int {
        (head + index) % AudioShared.announcementLimit
    }
}
