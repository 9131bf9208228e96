import Glibc

/// How often a freely running device is looked at while there is nothing to say, in nanoseconds: whether it is still
/// there, and so that its two positions do not grow apart for days.
private let lookAfter = 30_000_000_000
/// A device at rest that was not ready is tried again, in nanoseconds.
private let retryAfter = 100_000_000

// What breaks the even flow of frames: a stop, the volume, a gap, the machine's sleep, and the end.
extension Player where Device: ~Copyable {
    /// Ends what is heard with a fade, and forgets what was to follow.
    mutating func cut(to position: Int, _ device: inout Device) throws(PCMError) {
        var failure: PCMError?
        do throws(PCMError) {
            if flows, isRunning { try fadeOut(&device) }
        } catch {
            failure = error
        }
        while let announcement = queue.first {
            shared.pointee.tell(.stopped(id: announcement.id))
            queue.removeFirst()
        }
        // As many frames are on their way as before.
        let shift = position - handed
        heard += shift
        handed += shift
        origin = position
        stream?.position += shift
        silence = 0
        flows = false
        shared.pointee.ring.release(upTo: position)
        shared.pointee.forgetMarks(before: position)
        guard let failure else { return }
        heard = handed
        stopped()
        switch failure.code {
        case EAGAIN, EINTR:
            try device.drop()
            try device.prepare()
        case EPIPE, ESTRPIPE:
            try device.prepare()
        default:
            throw failure
        }
    }

    /// Takes back what can be taken back, and writes the way down to silence instead.
    private mutating func fadeOut(_ device: inout Device) throws(PCMError) {
        guard let last = queue.end else { return }
        var queued = format.buffer - (try device.status().available)
        var taken = 0
        if format.runsFree, format.rewinds, queued > times.lead {
            taken = try device.rewind(queued - times.lead)
            queued -= taken
        }
        // In front of the first frame there is only silence, and behind the last one nothing needs a fade.
        let from = handed - silence - taken
        let end = min(from + times.fade, min(last, shared.pointee.ring.written))
        if silence == 0, from > origin, from < last {
            handed = from
            gain.ramp(to: 0, at: from, length: times.fade)
            while handed < end {
                let count = try writeFrames(end - handed, end, &device)
                guard count > 0 else { break }
                handed += count
                taken -= count
                queued += count
            }
        }
        // The old frames are still in the card's memory.
        while taken > 0 {
            let count = try writeSilence(taken, &device)
            guard count > 0 else { throw PCMError(.write, EAGAIN) }
            taken -= count
            padding += count
            queued += count
        }
        heard = handed - max(0, queued)
    }

    /// Changes the volume of what is said, and of what follows, within a ramp.
    mutating func setGain(_ target: Int32, _ device: inout Device) throws(PCMError) {
        queue.setGain(target)
        // Nothing of a word was written yet: it begins at the new volume.
        guard flows, isRunning, silence == 0, let current = queue.announcement(at: handed - 1) else { return }
        if format.runsFree, format.rewinds {
            do throws(PCMError) {
                let queued = format.buffer - (try device.status().available)
                let most = min(queued - times.lead, handed - max(current.start, origin))
                if most > 0 { handed -= try device.rewind(most) }
            } catch {
                // What the device says of itself in the next call is dealt with there.
                guard error.code == EAGAIN || error.code == EINTR || error.code == EPIPE || error.code == ESTRPIPE
                else { throw error }
            }
        }
        gain.ramp(to: target, at: handed, length: times.ramp)
    }

    /// The device ran dry, for so many frames: after more than a stumble the word is said again from its beginning.
    mutating func broke(gap: Int) {
        padding = 0
        // Between two announcements nothing is broken.
        guard let announcement = queue.announcement(at: handed), handed > announcement.start else { return }
        let end = handed
        if gap > times.stumble { sayAgain(from: handed, in: announcement) }
        count(announcement.id, replayed: end - handed)
    }

    /// The thread was kept from running while it wrote the frames from this position on, and a freely running device overtook
    /// it: they came too late, and are written again. What the device still has of them is taken back where that can be.
    mutating func overtaken(from position: Int, _ queued: Int) throws(PCMError) {
        if let announcement = queue.announcement(at: position) {
            let end = handed
            sayAgain(from: position, in: announcement)
            count(announcement.id, replayed: end - handed)
        }
        padding = max(0, queued)
        silence = 0
        flows = false
        // The next turn writes them, and comes at once.
        throw PCMError(.write, EAGAIN)
    }

    /// After the machine slept: false where the device is not ready yet. What it had and did not play is gone, or was torn
    /// apart by the time between; it is said again from the clip in which that happened.
    mutating func wake(_ device: inout Device) throws(PCMError) -> Bool {
        do throws(PCMError) {
            try device.resume()
            // Now it can tell how far it came.
            heard = handed - silence - max(0, try device.status().delay)
            try device.drop()
        } catch {
            if error.code == EAGAIN { return false }
        }
        try device.prepare()
        heard = max(heard, origin)
        stopped()
        silence = 0
        let end = handed
        if let announcement = queue.announcement(at: heard) {
            sayAgain(from: heard, in: announcement)
            count(announcement.id, replayed: end - handed)
        } else if let first = queue.first, heard < first.start {
            handed = first.start
        }
        heard = handed
        return true
    }

    private mutating func sayAgain(from position: Int, in announcement: Announcement) {
        let start = clipStart(position, in: announcement)
        // Of a clip longer than what the ring keeps the beginning is gone; it goes on where it broke.
        handed = start >= shared.pointee.ring.released ? start : position
        heard = handed
        origin = handed
        gain.fadeIn(at: handed, to: announcement.gain, length: times.fade)
    }

    /// Where the clip, or pause, begins to which the frame at `position` belongs.
    func clipStart(_ position: Int, in announcement: Announcement) -> Int {
        var start = announcement.start
        var index = 0
        while let mark = shared.pointee.marks.peek(index), mark <= position {
            start = max(start, mark)
            index += 1
        }
        return start
    }

    private func count(_ id: UInt64, replayed: Int) {
        let gaps = shared.pointee.gaps.add(1, ordering: .relaxed).newValue
        let total = shared.pointee.replayed.add(replayed, ordering: .relaxed).newValue
        // Room for what the announcements have to tell comes first; the next one tells these figures, too.
        guard shared.pointee.events.free > 4 * AudioShared.announcementLimit else { return }
        shared.pointee.tell(.underrun(id: id, count: gaps, replayed: total))
    }

    /// Nothing is to be heard: a device that runs freely goes on with silence, another is stopped.
    mutating func rest(_ device: inout Device, now: Int) throws(PCMError) -> Wait {
        amplify(false)
        flows = false
        padding = 0
        if restsSince == nil { restsSince = now }
        guard format.runsFree else {
            if isRunning {
                stopped()
                try device.drop()
                try device.prepare()
            }
            return .forever
        }
        do throws(PCMError) {
            guard isRunning else {
                try start(&device)
                return .nanoseconds(lookAfter)
            }
            let behind = try device.status().available - format.buffer
            if behind > 0 { _ = try device.forward(behind) }
            return .nanoseconds(lookAfter)
        } catch {
            switch error.code {
            case EAGAIN, EINTR: break
            case EPIPE:
                stopped()
                try device.prepare()
            case ESTRPIPE: _ = try wake(&device)
            default: throw error
            }
            return .nanoseconds(retryAfter)
        }
    }

    /// Tells what began and what ended, and gives room in the ring back.
    mutating func report(now: Int) {
        while let announcement = queue.first {
            if !announcement.began {
                let isOut = handed > announcement.start || announcement.start == announcement.end
                guard isOut, heard >= announcement.start else { break }
                let began = now - nanoseconds(heard - announcement.start)
                shared.pointee.tell(.began(id: announcement.id, nanoseconds: UInt64(clamping: began)))
                queue.markFirstAsBegun()
            }
            guard heard >= announcement.end else { break }
            shared.pointee.tell(.ended(id: announcement.id))
            queue.removeFirst()
        }
        giveBack()
    }

    /// The clip that is heard stays in the ring from its beginning, unless it is longer than half of it.
    private func giveBack() {
        var kept = heard
        if let announcement = queue.announcement(at: heard) { kept = clipStart(heard, in: announcement) }
        shared.pointee.ring.release(upTo: max(kept, heard - shared.pointee.ring.capacity / 2))
        let released = shared.pointee.ring.released
        while let next = shared.pointee.marks.peek(1), next <= released { _ = shared.pointee.marks.pop() }
        let hasRoom = shared.pointee.ring.free >= shared.pointee.ring.capacity / 4
        if hasRoom, shared.pointee.isHungry.exchange(false, ordering: .acquiringAndReleasing) {
            shared.pointee.toControl.signal()
        }
    }
}
