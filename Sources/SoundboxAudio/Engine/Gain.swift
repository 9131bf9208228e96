/// What the samples are multiplied with, position by position of the ring: one gain, and the ramp that leads to it.
///
/// It depends on the position alone, so that frames which are taken back and written again, or of which the device took
/// only some, are the same again.
struct Gain: BitwiseCopyable {
    /// The gain behind the ramp, fixed point as in ``Volume``.
    private(set) var target: Int32 = Volume.unity
    private var origin: Int32 = Volume.unity
    private var start = 0
    private var length = 0

    /// At once, at every position.
    mutating func set(_ gain: Int32) {
        target = gain
        length = 0
    }

    /// From what it is at `position` to another gain, within `length` frames.
    mutating func ramp(to gain: Int32, at position: Int, length: Int) {
        ramp(from: at(position), to: gain, at: position, length: length)
    }

    /// From nothing to a gain.
    mutating func fadeIn(at position: Int, to gain: Int32, length: Int) {
        ramp(from: 0, to: gain, at: position, length: length)
    }

    /// Whether there is a ramp that begins at this position.
    func isRamping(from position: Int) -> Bool {
        length > 0 && start == position
    }

    private mutating func ramp(from first: Int32, to gain: Int32, at position: Int, length: Int) {
        origin = first
        target = gain
        start = position
        self.length = length
    }

    /// The gain of the frame at this position.
    func at(_ position: Int) -> Int32 {
        let distance = position - start
        guard distance < length else { return target }
        guard distance > 0 else { return origin }
        return origin + Int32(truncatingIfNeeded: Int(target - origin) * distance / length)
    }

    /// Multiplies the frames from `position` on.
    func apply(_ frames: UnsafeBufferPointer<Int16>, at position: Int, to result: UnsafeMutablePointer<Int16>) {
        // Behind the ramp, which is nearly always, the loop is one that the compiler turns into vectors.
        let ramped = length == 0 ? 0 : min(frames.count, max(0, start + length - position))
        for index in 0..<ramped {
            result[index] = Volume.scale(frames[index], at(position + index))
        }
        if target == Volume.unity {
            for index in ramped..<frames.count { result[index] = frames[index] }
        } else {
            for index in ramped..<frames.count { result[index] = Volume.scale(frames[index], target) }
        }
    }
}
