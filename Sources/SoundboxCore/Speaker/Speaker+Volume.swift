// How loud, and what is kept of it.

extension Speaker {
    /// The loudest of this hour, 0–100.
    var cap: Int { isNight ? settings.night?.volume ?? 100 : 100 }

    /// 0–100, as it is heard now.
    var effectiveVolume: Int { min(kept.volume, cap) }

    var isSilent: Bool { kept.isMuted || effectiveVolume == 0 }

    /// The volume that somebody wants from now on.
    mutating func setVolume(_ volume: Int) {
        kept.volume = min(max(volume, 0), 100)
        keep()
        tellVolume()
    }

    mutating func setMuted(_ muted: Bool) {
        kept.isMuted = muted
        keep()
    }

    /// The engine is told as soon as it becomes another, since something may be being said.
    private mutating func tellVolume() {
        guard effectiveVolume != toldVolume else { return }
        toldVolume = effectiveVolume
        perform(.setVolume(effectiveVolume))
    }

    private mutating func keep() {
        turn.hasRecords = true
        perform(.keep(kept))
    }

    /// Keeps the time along with what is recorded anyway, once a minute: a box that wakes up without a clock has at least that.
    mutating func keepTime(_ now: Now) {
        guard turn.hasRecords, now.wallIsTrusted else { return }
        if let last = kept.trustedAt, (last.milliseconds..<last.milliseconds + 60_000).contains(now.wall.milliseconds) {
            return
        }
        kept.trustedAt = now.wall
        keep()
    }

    /// Follows the night. Without a clock nobody knows whether it is night.
    mutating func lookAtTheHour(_ now: Now) {
        guard let night = settings.night, now.wallIsTrusted else { return }
        let minutes = ports.localTime(now.wall).minutes
        isNight = night.contains(minutes)
        let intoMinute = ((now.wall.milliseconds % 60_000) + 60_000) % 60_000
        let milliseconds = Int64(night.minutesToEdge(from: minutes)) * 60_000 - intoMinute
        nightDue = now.monotonic + UInt64(milliseconds) * 1_000_000
        tellVolume()
    }
}
