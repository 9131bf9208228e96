import Glibc

/// A card may run this much faster than the clock; then it still is not starved.
private let clockTolerance = 1.0005
/// A device that takes and plays nothing for so long, in nanoseconds, is lost.
private let patience = 2_000_000_000
/// While the machine wakes up, a card says "not yet". In nanoseconds.
private let resumeAfter = 50_000_000

/// Plays the ring on an open device: decides at each step what to write, what was heard, and how long to sleep.
///
/// It takes the time as an argument and never waits, so that tests run it in a time of their own. Three positions of
/// the ring tell everything: `heard` ≤ `handed` ≤ `written`.
///
/// What was heard is what both the device and the clock say: a device with a queue knows its delay, and one without
/// (ALSA's `null` and `file`) claims to have played whatever it was given, at once. For the same reason no more is
/// written than the clock allows: a buffer ahead of the time that has passed.
struct Player<Device: PCMDevice & ~Copyable>: ~Copyable {
    private let shared: UnsafeMutablePointer<AudioShared>
    private let format: PCMFormat
    private var queue = AnnouncementQueue()
    /// One period in the device's own format.
    private let period: UnsafeMutableRawPointer
    /// Behind the last frame that the device took.
    private var handed: Int
    /// Behind the last frame that came out of it, as far as is known; before the first one while that is on its way.
    private var heard: Int
    /// Where and when the device was started; nil while it stands still.
    private var stream: (position: Int, time: Int)?
    /// Frames that the device still holds.
    private var buffered = 0
    /// When `handed` or `heard` last moved, or there was nothing to move them.
    private var progress = 0

    init(shared: UnsafeMutablePointer<AudioShared>, format: PCMFormat, position: Int) {
        self.shared = shared
        self.format = format
        period = .allocate(byteCount: format.period * format.channels * format.sample.bytes, alignment: 16)
        handed = position
        heard = position
    }

    deinit {
        period.deallocate()
    }

    /// Does what can be done now, and says how long to sleep. Throws where the device is lost.
    mutating func step(_ device: inout Device, now: Int) throws(PCMError) -> Wait {
        try obey(&device, now: now)
        guard !queue.isEmpty else { return .forever }
        let before = (handed, heard)
        let retry: Wait?
        do throws(PCMError) {
            retry = try play(&device, now: now)
        } catch {
            // What was heard before it broke is not said again.
            report(now: now)
            throw error
        }
        report(now: now)
        if (handed, heard) != before || handed == heard && shared.pointee.ring.written == handed {
            progress = now
        } else if now - progress > patience {
            throw PCMError(.progress, ETIMEDOUT)
        }
        if queue.isEmpty {
            try stop(&device)
            return .forever
        }
        return retry ?? wait()
    }

    /// Carries out what the control thread wants.
    private mutating func obey(_ device: inout Device, now: Int) throws(PCMError) {
        while let command = shared.pointee.commands.pop() {
            switch command {
            case .play(let announcement):
                if queue.isEmpty { progress = now }
                queue.append(announcement)
            case .cut(let position), .forget(let position):
                if stream != nil { try stop(&device) }
                while let announcement = queue.first {
                    tell(.stopped(id: announcement.id))
                    queue.removeFirst()
                }
                handed = position
                heard = position
                shared.pointee.ring.release(upTo: position)
            }
        }
    }

    /// Writes and listens; a device that broke off is set going again. Returns a time to sleep where it is not ready.
    private mutating func play(_ device: inout Device, now: Int) throws(PCMError) -> Wait? {
        // The second turn is the one after a recovery: what broke is filled at once, and not a period later.
        for _ in 0..<2 {
            do throws(PCMError) {
                try fill(&device, now: now)
                try listen(&device, now: now)
                return nil
            } catch {
                switch error.code {
                case EAGAIN, EINTR:
                    break
                case EPIPE:
                    // It ran dry, so all it had was heard. At the end of the last announcement that is as it should be.
                    heard = handed
                    if handed < queue.end { countUnderrun() }
                    try device.prepare()
                    stream = nil
                case ESTRPIPE:
                    guard try resume(&device) else { return .nanoseconds(resumeAfter) }
                default:
                    throw error
                }
            }
        }
        return .nanoseconds(nanoseconds(format.period))
    }

    /// Hands over as much as the device, the clock and the ring allow.
    private mutating func fill(_ device: inout Device, now: Int) throws(PCMError) {
        var room = try device.status().available
        let end = min(queue.end, shared.pointee.ring.written)
        while true {
            let ahead = max(0, handed - clock(now))
            // Two at a time: `min` of more puts them into an array.
            let allowed = min(min(room, format.buffer - ahead), format.period)
            let count = min(allowed, end - handed)
            guard count > 0 else { return }
            let frames = shared.pointee.ring.read(at: handed, count: count)
            format.convert(frames, to: period)
            let taken = try write(frames.count, to: &device)
            guard taken > 0 else { return }
            // Where the frames came late, the time meanwhile gives no right to write ahead of the clock.
            if stream == nil || clock(now) > handed { stream = (handed, now) }
            handed += taken
            room -= taken
        }
    }

    /// How many frames the device took; none where it is not ready, whatever it said of its room.
    private func write(_ count: Int, to device: inout Device) throws(PCMError) -> Int {
        shared.pointee.writes.add(1, ordering: .relaxed)
        do throws(PCMError) {
            return try device.write(period, count: count)
        } catch {
            if error.code == EAGAIN || error.code == EINTR { return 0 }
            throw error
        }
    }

    /// Finds out how far the sound has come.
    private mutating func listen(_ device: inout Device, now: Int) throws(PCMError) {
        guard stream != nil else {
            buffered = 0
            return
        }
        let (available, delay) = try device.status()
        let clock = clock(now)
        buffered = min(format.buffer, max(format.buffer - available, handed - clock))
        heard = min(min(handed, handed - delay), clock)
        // Sound servers go on playing silence of their own, and their delay never comes to zero.
        let wasTimeEnough = clock >= handed + max(format.buffer, delay)
        if handed == queue.end, wasTimeEnough, available >= format.buffer - format.period {
            heard = handed
        }
    }

    /// After the machine slept: true where the device goes on, be it from what is not known to have been heard.
    private mutating func resume(_ device: inout Device) throws(PCMError) -> Bool {
        do throws(PCMError) {
            try device.resume()
        } catch {
            if error.code == EAGAIN { return false }
            // The card cannot resume, and its buffer is gone.
            try device.prepare()
            handed = max(heard, stream?.position ?? handed)
            stream = nil
        }
        return true
    }

    /// Silences the device and leaves it ready to start.
    private mutating func stop(_ device: inout Device) throws(PCMError) {
        try device.drop()
        try device.prepare()
        stream = nil
        buffered = 0
    }

    /// Tells what began and what ended, and gives room in the ring back.
    private mutating func report(now: Int) {
        while let announcement = queue.first {
            if !announcement.began {
                let isOut = handed > announcement.start || announcement.start == announcement.end
                guard isOut, heard >= announcement.start else { break }
                let began = now - nanoseconds(heard - announcement.start)
                tell(.began(id: announcement.id, nanoseconds: UInt64(clamping: began)))
                queue.markFirstAsBegun()
            }
            guard heard >= announcement.end else { break }
            tell(.ended(id: announcement.id))
            queue.removeFirst()
        }
        // Two seconds stay: longer than any word.
        let kept = min(2 * format.rate, shared.pointee.ring.capacity / 4)
        shared.pointee.ring.release(upTo: heard - kept)
        let hasRoom = shared.pointee.ring.free >= shared.pointee.ring.capacity / 4
        if hasRoom, shared.pointee.isHungry.exchange(false, ordering: .acquiringAndReleasing) {
            shared.pointee.toControl.signal()
        }
    }

    /// Until an announcement begins or ends, or the device is half empty.
    private func wait() -> Wait {
        var frames = Int.max
        if let next = queue.first {
            if next.began, next.end <= handed { frames = next.end - heard }
            if !next.began, next.start < handed { frames = next.start - heard }
        }
        if handed < queue.end { frames = min(frames, max(format.period, buffered - format.buffer / 2)) }
        return frames == .max ? .forever : .nanoseconds(nanoseconds(frames))
    }

    /// The position that is heard now, if the device runs as the clock does.
    private func clock(_ now: Int) -> Int {
        guard let stream else { return handed }
        let seconds = Double(now - stream.time) / 1e9
        return stream.position + Int(seconds * Double(format.rate) * clockTolerance)
    }

    private func nanoseconds(_ frames: Int) -> Int {
        frames * 1_000_000_000 / format.rate
    }

    private func countUnderrun() {
        let count = shared.pointee.underruns.add(1, ordering: .relaxed).newValue
        // Room for what the announcements have to tell comes first; the next one tells this count, too.
        if shared.pointee.events.free > 4 * AudioShared.announcementLimit { tell(.underrun(count: count)) }
    }

    private func tell(_ event: AudioEvent) {
        _ = shared.pointee.events.push(event)
        shared.pointee.toControl.signal()
    }
}

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

    /// The position behind the last of them.
    var end: Int { count == 0 ? 0 : storage[(head + count - 1) % AudioShared.announcementLimit].end }

    /// The control thread never sends more than there is room for.
    mutating func append(_ announcement: Announcement) {
        (storage + (head + count) % AudioShared.announcementLimit).initialize(to: announcement)
        count += 1
    }

    mutating func markFirstAsBegun() {
        storage[head].began = true
    }

    mutating func removeFirst() {
        head = (head + 1) % AudioShared.announcementLimit
        count -= 1
    }
}
