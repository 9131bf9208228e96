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
/// A device that runs freely plays silence of its own while there is nothing to say, and nobody wakes up for it. An
/// announcement enters a little ahead of the hardware, and then the whole buffer is filled, since all of it is known:
/// what changes meanwhile (a stop, the volume) takes frames back.
///
/// Other devices are paced by a timer. What was heard is then what both the device and the clock say: a device with a
/// queue knows its delay, and one without (ALSA's `null` and `file`) claims to have played whatever it was given, at
/// once. For the same reason no more is written than the clock allows: `depth` ahead of the time that has passed.
struct Player<Device: PCMDevice & ~Copyable>: ~Copyable {
    let shared: UnsafeMutablePointer<AudioShared>
    let format: PCMFormat
    let times: PlayerTimes
    var queue = AnnouncementQueue()
    var gain = Gain()
    /// Behind the last frame that the device took.
    var handed: Int
    /// Behind the last frame that came out of it, as far as is known; before the first one while that is on its way.
    var heard: Int
    /// Where that begins which the device was given without a break; in front of it was silence.
    var origin: Int
    /// Frames of silence that come before the frame at `handed`.
    var silence = 0
    /// Frames of silence at the end of what the device holds, which can be taken back.
    var padding = 0
    /// The device plays, if only silence.
    var isRunning = false
    /// What is written next belongs right behind what was written last.
    var flows = false
    /// Since when there is nothing to be heard; nil while there is.
    var restsSince: Int?
    private var isAmplified = false
    /// One period, at the wanted gain and in the device's own format.
    private let scaled: UnsafeMutablePointer<Int16>
    private let period: UnsafeMutableRawPointer
    /// Where and when a device that is paced by a timer was started.
    var stream: (position: Int, time: Int)?
    /// Frames that the device still holds, and when it has none left.
    private var buffered = 0
    private var dryAt = 0
    /// When `handed` or `heard` last moved, or there was nothing to move them.
    private var progress = 0

    init(shared: UnsafeMutablePointer<AudioShared>, format: PCMFormat, position: Int) {
        self.shared = shared
        self.format = format
        times = PlayerTimes(shared.pointee.settings, format)
        scaled = .allocate(capacity: format.period)
        period = .allocate(byteCount: format.period * format.channels * format.sample.bytes, alignment: 16)
        handed = position
        heard = position
        origin = position
    }

    deinit {
        if isAmplified, let amplifier = shared.pointee.settings.amplifier {
            amplifier.function(amplifier.context, false)
        }
        scaled.deallocate()
        period.deallocate()
    }

    /// Does what can be done now, and says how long to sleep. Throws where the device is lost.
    mutating func step(_ device: inout Device, now: Int) throws(PCMError) -> Wait {
        try obey(&device, now: now)
        if queue.isEmpty, heard >= handed { return try rest(&device, now: now) }
        let before = (handed - silence, heard)
        let retry: Wait?
        do throws(PCMError) {
            retry = try play(&device, now: now)
        } catch {
            // What was heard before it broke is not said again.
            report(now: now)
            throw error
        }
        report(now: now)
        if (handed - silence, heard) != before || handed == heard && shared.pointee.ring.written == handed {
            progress = now
        } else if now - progress > patience {
            throw PCMError(.progress, ETIMEDOUT)
        }
        if queue.isEmpty, heard >= handed { return try rest(&device, now: now) }
        return retry ?? wait()
    }

    /// Carries out what the control thread wants.
    private mutating func obey(_ device: inout Device, now: Int) throws(PCMError) {
        while let command = shared.pointee.commands.pop() {
            switch command {
            case .play(let announcement):
                if queue.isEmpty { progress = now }
                restsSince = nil
                queue.append(announcement)
            case .volume(let gain): try setGain(gain, &device)
            case .cut(let position), .forget(let position): try cut(to: position, &device)
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
                    heard = handed - silence
                    broke(gap: frames(now - dryAt))
                    try device.prepare()
                    stopped()
                case ESTRPIPE:
                    guard try wake(&device) else { return .nanoseconds(resumeAfter) }
                default:
                    throw error
                }
            }
        }
        return .nanoseconds(nanoseconds(format.period))
    }

    /// Hands over as much as the device, the clock and the ring allow.
    private mutating func fill(_ device: inout Device, now: Int) throws(PCMError) {
        guard let last = queue.end else { return }
        let end = min(last, shared.pointee.ring.written)
        guard handed < end else { return }
        try join(&device)
        let available = try device.status().available
        // Overtaken meanwhile: once more from the start.
        if format.runsFree, available > format.buffer { throw PCMError(.status, EAGAIN) }
        var room = available - (format.buffer - times.depth)
        while true {
            let next = handed - silence
            if !format.runsFree { room = min(room, times.depth - max(0, next - clock(now))) }
            let taken = try silence > 0 ? writeSilence(min(room, silence), &device) : writeFrames(room, end, &device)
            guard taken > 0 else { return }
            // Where the frames came late, the time meanwhile gives no right to write ahead of the clock.
            if stream == nil || clock(now) > next { stream = (next, now) }
            isRunning = true
            room -= taken
            let start = handed
            if silence > 0 {
                silence -= taken
            } else {
                handed += taken
            }
            if format.runsFree {
                let queued = format.buffer - (try device.status().available)
                if queued < taken { try overtaken(from: start, queued) }
            }
        }
    }

    /// Makes the device ready for the frame at `handed`.
    private mutating func join(_ device: inout Device) throws(PCMError) {
        let stood = !isRunning
        if format.runsFree, stood { try start(&device) }
        if !flows {
            silence = stood ? times.leadIn : 0
            // A freely running device enters with a lead of its own.
            if amplify(true) { silence = max(silence, times.amplifierLead - (format.runsFree ? times.lead : 0)) }
            flows = true
        } else if format.runsFree {
            let queued = format.buffer - (try device.status().available)
            if queued < 0 { broke(gap: -queued) } else if !stood { return }
        } else if !stood {
            return
        }
        origin = handed
        if format.runsFree { try seek(&device) }
    }

    /// Sets a freely running device going, on silence.
    mutating func start(_ device: inout Device) throws(PCMError) {
        var left = times.lead
        while left > 0 {
            let taken = try writeSilence(left, &device)
            guard taken > 0 else { throw PCMError(.write, EAGAIN) }
            left -= taken
        }
        isRunning = true
    }

    /// Goes to where an announcement enters: `lead` ahead of the hardware.
    private mutating func seek(_ device: inout Device) throws(PCMError) {
        let queued = format.buffer - (try device.status().available)
        if queued < times.lead {
            // Still behind the hardware: frames would be heard a whole buffer later.
            if queued + (try device.forward(times.lead - queued)) <= 0 { throw PCMError(.forward, EPIPE) }
        } else if queued > times.lead, padding > 0, format.rewinds {
            _ = try device.rewind(min(padding, queued - times.lead))
        }
        padding = 0
    }

    /// How many frames from `handed` on, and before `end`, the device took.
    mutating func writeFrames(_ most: Int, _ end: Int, _ device: inout Device) throws(PCMError) -> Int {
        guard let announcement = queue.announcement(at: handed) else { return 0 }
        if handed == announcement.start, !gain.isRamping(from: handed) { gain.set(announcement.gain) }
        // Two at a time: `min` of more puts them into an array.
        let count = min(min(most, format.period), min(announcement.end, end) - handed)
        guard count > 0 else { return 0 }
        let frames = shared.pointee.ring.read(at: handed, count: count)
        gain.apply(frames, at: handed, to: scaled)
        format.convert(UnsafeBufferPointer(start: scaled, count: frames.count), to: period)
        return try write(frames.count, to: &device)
    }

    /// How many frames of silence the device took.
    mutating func writeSilence(_ most: Int, _ device: inout Device) throws(PCMError) -> Int {
        let count = min(most, format.period)
        guard count > 0 else { return 0 }
        memset(period, 0, count * format.channels * format.sample.bytes)
        return try write(count, to: &device)
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
    mutating func listen(_ device: inout Device, now: Int) throws(PCMError) {
        guard isRunning else {
            buffered = 0
            return
        }
        let (available, delay) = try device.status()
        let next = handed - silence
        buffered = min(format.buffer, max(0, format.buffer - available))
        dryAt = now + nanoseconds(buffered)
        guard !format.runsFree else {
            heard = next - max(0, delay)
            return
        }
        let clock = clock(now)
        buffered = min(format.buffer, max(buffered, next - clock))
        heard = min(min(next, next - delay), clock)
        // Sound servers go on playing silence of their own, and their delay never comes to zero.
        let wasTimeEnough = clock >= next + max(format.buffer, delay)
        if handed == queue.end ?? handed, wasTimeEnough, available >= format.buffer - format.period { heard = handed }
    }

    /// What the device held is gone, and it stands still.
    mutating func stopped() {
        isRunning = false
        stream = nil
        padding = 0
        origin = handed
    }

    /// Until an announcement begins or ends, or the device is half empty.
    private func wait() -> Wait {
        var frames = Int.max
        if let next = queue.first {
            if next.began, next.end <= handed { frames = next.end - heard }
            let isOnItsWay = next.start < handed || silence > 0 || next.start == next.end
            if !next.began, isOnItsWay { frames = next.start - heard }
        } else {
            frames = handed - heard
        }
        if let end = queue.end, handed < end {
            frames = min(frames, max(format.period, buffered - times.depth / 2))
        }
        return frames == .max ? .forever : .nanoseconds(nanoseconds(frames))
    }

    /// Switches the amplifier, and says whether that changed anything.
    @discardableResult
    mutating func amplify(_ isOn: Bool) -> Bool {
        guard let amplifier = shared.pointee.settings.amplifier, isAmplified != isOn else { return false }
        isAmplified = isOn
        amplifier.function(amplifier.context, isOn)
        return true
    }

    /// The position that is heard now, if the device runs as the clock does.
    private func clock(_ now: Int) -> Int {
        guard let stream else { return handed - silence }
        let seconds = Double(now - stream.time) / 1e9
        return stream.position + Int(seconds * Double(format.rate) * clockTolerance)
    }

    func nanoseconds(_ frames: Int) -> Int {
        frames * 1_000_000_000 / format.rate
    }

    private func frames(_ nanoseconds: Int) -> Int {
        Int(Double(nanoseconds) / 1e9 * Double(format.rate))
    }
}
