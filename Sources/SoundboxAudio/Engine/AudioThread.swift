import Glibc
import SoundboxPlatform

/// The audio thread: opens the device, lets a ``Player`` play, and opens it again when it is lost, or when it was closed
/// for want of anything to say.
///
/// Between opening and loss it allocates nothing, takes no lock, logs nothing and counts no references; opening does,
/// because libasound does, and then there is nothing to be heard.
enum AudioThread {
    /// A device that worked for so long is tried again soon after it was lost.
    static let goodAfter = 10_000_000_000

    /// Runs until the engine quits.
    static func run<Device: PCMDevice & ~Copyable>(_: Device.Type, _ shared: UnsafeMutablePointer<AudioShared>) {
        var parameter = sched_param(sched_priority: 50)
        shared.pointee.schedulingError.store(
            pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter), ordering: .relaxed)

        var position = 0
        var known: PCMFormat?
        var isLost = false
        /// The device is closed, and nobody was told: it will be there when something is to be said.
        var isAsleep = false
        var retry = shared.pointee.settings.retryAfter
        while !isQuitting(shared) {
            if isAsleep { awaitCommand(shared) }
            do throws(PCMError) {
                var device = try open(Device.self, known: known, shared)
                let opened = Int(SystemClock.monotonic)
                // What is in the ring already was made for another rate.
                if isAsleep, device.format.rate != known?.rate { throw PCMError(.configure, EINVAL) }
                known = device.format
                // Room is certain: an outage gives two events, and lasts longer than the control thread may sleep.
                if !isAsleep { shared.pointee.tell(.opened(device.format)) }
                isAsleep = false
                isLost = false
                do throws(PCMError) {
                    try play(&device, at: &position, shared)
                    isAsleep = true
                } catch {
                    if Int(SystemClock.monotonic) - opened > goodAfter { retry = shared.pointee.settings.retryAfter }
                    throw error
                }
            } catch {
                isAsleep = false
                if !isLost {
                    isLost = true
                    shared.pointee.tell(.lost(error))
                    position = awaitForget(shared)
                }
                pause(retry, shared)
                retry = min(2 * retry, shared.pointee.settings.retryLimit)
            }
        }
    }

    private static func open<Device: PCMDevice & ~Copyable>(
        _: Device.Type, known: PCMFormat?, _ shared: UnsafeMutablePointer<AudioShared>
    ) throws(PCMError) -> Device {
        let rate = shared.pointee.settings.rate
        guard let name = strdup(shared.pointee.settings.device) else { throw PCMError(.open, ENOMEM) }
        defer { free(name) }
        return try Device.open(name, rate: rate, known: known)
    }

    /// Plays until the engine quits, the device fails, or there was nothing to say for long enough.
    private static func play<Device: PCMDevice & ~Copyable>(
        _ device: inout Device, at position: inout Int, _ shared: UnsafeMutablePointer<AudioShared>
    ) throws(PCMError) {
        let standbyAfter = shared.pointee.settings.standbyAfter
        var player = Player<Device>(shared: shared, format: device.format, position: position)
        while !isQuitting(shared) {
            let now = Int(SystemClock.monotonic)
            var time = try player.step(&device, now: now)
            if let standbyAfter, let since = player.restsSince {
                let left = since + standbyAfter * 1_000_000_000 - now
                if left <= 0 { break }
                time = time.shortened(to: left)
            }
            sleep(time, shared)
        }
        position = player.handed
    }

    private static func awaitCommand(_ shared: UnsafeMutablePointer<AudioShared>) {
        while !isQuitting(shared), shared.pointee.commands.peek(0) == nil { sleep(.forever, shared) }
    }

    /// After a loss, everything that was sent before the control thread knew of it is void. Returns where to go on.
    private static func awaitForget(_ shared: UnsafeMutablePointer<AudioShared>) -> Int {
        while !isQuitting(shared) {
            while let command = shared.pointee.commands.pop() {
                guard case .forget(let position) = command else { continue }
                shared.pointee.forgetMarks(before: position)
                return position
            }
            sleep(.forever, shared)
        }
        return 0
    }

    private static func pause(_ time: Int, _ shared: UnsafeMutablePointer<AudioShared>) {
        let end = Int(SystemClock.monotonic) + time
        while !isQuitting(shared) {
            let left = end - Int(SystemClock.monotonic)
            guard left > 0 else { return }
            sleep(.nanoseconds(left), shared)
        }
    }

    private static func sleep(_ time: Wait, _ shared: UnsafeMutablePointer<AudioShared>) {
        shared.pointee.toAudio.wait(milliseconds: time.milliseconds)
        shared.pointee.wakeUps.add(1, ordering: .relaxed)
        shared.pointee.heartbeat.add(1, ordering: .releasing)
    }

    private static func isQuitting(_ shared: UnsafeMutablePointer<AudioShared>) -> Bool {
        shared.pointee.isQuitting.load(ordering: .acquiring)
    }
}
