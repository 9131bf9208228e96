import Glibc
import SoundboxPlatform

/// The audio thread: opens the device, lets a ``Player`` play, and opens it again when it is lost.
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
        var isLost = false
        var retry = shared.pointee.settings.retryAfter
        while !isQuitting(shared) {
            do throws(PCMError) {
                var device = try open(Device.self, shared)
                let opened = Int(SystemClock.monotonic)
                report(.opened(device.format), shared)
                isLost = false
                do throws(PCMError) {
                    try play(&device, from: position, shared)
                } catch {
                    if Int(SystemClock.monotonic) - opened > goodAfter { retry = shared.pointee.settings.retryAfter }
                    throw error
                }
            } catch {
                if !isLost {
                    isLost = true
                    report(.lost(error), shared)
                    position = awaitForget(shared)
                }
                pause(retry, shared)
                retry = min(2 * retry, shared.pointee.settings.retryLimit)
            }
        }
    }

    private static func open<Device: PCMDevice & ~Copyable>(
        _: Device.Type, _ shared: UnsafeMutablePointer<AudioShared>
    ) throws(PCMError) -> Device {
        let rate = shared.pointee.settings.rate
        guard let name = strdup(shared.pointee.settings.device) else { throw PCMError(.open, ENOMEM) }
        defer { free(name) }
        return try Device.open(name, rate: rate)
    }

    /// Plays until the engine quits or the device fails.
    private static func play<Device: PCMDevice & ~Copyable>(
        _ device: inout Device, from position: Int, _ shared: UnsafeMutablePointer<AudioShared>
    ) throws(PCMError) {
        var player = Player<Device>(shared: shared, format: device.format, position: position)
        while !isQuitting(shared) {
            let time = try player.step(&device, now: Int(SystemClock.monotonic))
            sleep(time, shared)
        }
    }

    /// After a loss, everything that was sent before the control thread knew of it is void. Returns where to go on.
    private static func awaitForget(_ shared: UnsafeMutablePointer<AudioShared>) -> Int {
        while !isQuitting(shared) {
            while let command = shared.pointee.commands.pop() {
                if case .forget(let position) = command { return position }
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

    /// Room is certain: an outage gives two events, and lasts longer than the control thread may sleep.
    private static func report(_ event: AudioEvent, _ shared: UnsafeMutablePointer<AudioShared>) {
        _ = shared.pointee.events.push(event)
        shared.pointee.toControl.signal()
    }

    private static func isQuitting(_ shared: UnsafeMutablePointer<AudioShared>) -> Bool {
        shared.pointee.isQuitting.load(ordering: .acquiring)
    }
}
