import Glibc
import SoundboxCore
import SoundboxPlatform

/// Says announcements on a sound device: feeds the ring, and tells what was heard.
///
/// One thread, the control thread, calls everything here; the type is not Sendable for that reason. The audio thread
/// that it starts speaks the announcements one behind the other without a gap. An announcement that ``play(id:plan:bank:volume:)``
/// accepted gives ``AudioEvent/began(id:nanoseconds:)`` and ``AudioEvent/ended(id:)``, or ``AudioEvent/stopped(id:)``,
/// or ``AudioEvent/lost(_:)`` covers it with all others.
///
///     let engine = AudioEngine(AudioSettings(device: "default"))
///     try engine.start()
///     // poll engine.wakeDescriptor; when it is readable:
///     for event in engine.events() { … }
public final class AudioEngine {
    /// Why an announcement was not accepted.
    public enum Refusal: Error, Equatable, CustomStringConvertible {
        /// There is no device now; ``AudioEvent/opened(_:)`` tells when there is one.
        case noDevice
        /// The clips were resampled for another rate than the device has now, in Hz.
        case rate(bank: Int, device: Int)
        /// Too many announcements are on their way.
        case queueFull
        /// The plan cannot be read from the bank.
        case clip(ClipError)

        /// One line for a person.
        public var description: String {
            switch self {
            case .noDevice: "no sound device"
            case .rate(let bank, let device): "clips at \(bank) Hz for a device at \(device) Hz"
            case .queueFull: "too many announcements"
            case .clip(let error): error.description
            }
        }
    }

    /// ALSA's name of the device.
    public let device: String
    /// What was agreed with the device; nil while there is none. As of the last ``events()``.
    public private(set) var format: PCMFormat?
    /// What the machine did not permit, in one line: sound may then break while it is busy. Known after ``start()``.
    public private(set) var realTimeWarning: String?

    private let settings: AudioSettings
    private let body: (UnsafeMutablePointer<AudioShared>) -> Void
    private var shared: UnsafeMutablePointer<AudioShared>?
    private var thread: NamedThread?
    /// Announcements whose frames are not all in the ring yet, oldest first.
    private var feeding: [PlanReader] = []
    /// Position behind the last announcement.
    private var end = 0
    /// Announcements accepted whose end was not told yet.
    private var onTheirWay = 0
    /// Whether there is something that a stop would cut.
    private var mayStop = false
    private var pending: [AudioEvent] = []

    /// An engine that is not started yet.
    public convenience init(_ settings: AudioSettings) {
        self.init(settings, driver: PCM.self)
    }

    init<Device: PCMDevice & ~Copyable>(_ settings: AudioSettings, driver: Device.Type) {
        device = settings.device
        self.settings = settings
        body = { AudioThread.run(Device.self, $0) }
    }

    deinit {
        close()
    }

    /// Starts the audio thread, and returns when it has tried to open the device once.
    ///
    /// A device that is missing is no error: ``format`` is then nil, ``events()`` has ``AudioEvent/lost(_:)``, and the
    /// thread goes on trying. mlockall(2), pthread_create(3).
    ///
    /// - Throws: ``PCMError`` where the system has no thread or descriptor left.
    public func start() throws(PCMError) {
        guard shared == nil else { return }
        let toAudio = try AudioEngine.event()
        let toControl = try AudioEngine.event()
        let memoryError = lockMemory()
        let shared = UnsafeMutablePointer<AudioShared>.allocate(capacity: 1)
        shared.initialize(to: AudioShared(settings, toAudio: toAudio, toControl: toControl))
        nonisolated(unsafe) let body = self.body
        // The pointer is alive until the thread was joined, and what it points to is made for two threads.
        nonisolated(unsafe) let pointer = shared
        do throws(SystemError) {
            thread = try NamedThread(settings.threadName) { body(pointer) }
        } catch {
            shared.deinitialize(count: 1)
            shared.deallocate()
            throw PCMError(.thread, error.code)
        }
        self.shared = shared
        while pending.isEmpty {
            shared.pointee.toControl.wait(milliseconds: -1)
            collect()
        }
        realTimeWarning = SoundboxAudio.realTimeWarning(
            scheduling: shared.pointee.schedulingError.load(ordering: .relaxed), memory: memoryError)
        // The caller has not seen the event yet.
        shared.pointee.toControl.signal()
    }

    private static func event() throws(PCMError) -> EventDescriptor {
        do throws(SystemError) {
            return try EventDescriptor()
        } catch {
            throw PCMError(.wakeUp, error.code)
        }
    }

    /// Cuts what is playing, ends the audio thread and closes the device. Called by `deinit`, too.
    public func close() {
        guard let shared else { return }
        shared.pointee.isQuitting.store(true, ordering: .releasing)
        shared.pointee.toAudio.signal()
        if let thread = thread.take() { thread.join() }
        shared.deinitialize(count: 1)
        shared.deallocate()
        self.shared = nil
        format = nil
        feeding = []
        onTheirWay = 0
        mayStop = false
        end = 0
    }

    /// Readable when ``events()`` has something, or frames are to be fed; −1 (which poll ignores) before ``start()``.
    public var wakeDescriptor: Int32 { shared?.pointee.toControl.descriptor ?? -1 }

    /// Says an announcement: at once, or behind those on their way without a gap.
    ///
    /// - Parameters:
    ///   - id: what the events will call it.
    ///   - bank: the clips of the plan's pack, at the device's rate.
    ///   - volume: 0…100 as in ``ClipBank/render(_:volume:)``; see ``setVolume(_:)``.
    /// - Throws: ``Refusal``; nothing of the announcement is then heard.
    public func play(id: UInt64, plan: ClipPlan, bank: ClipBank, volume: Int) throws(Refusal) {
        guard let shared, let format else { throw .noDevice }
        guard bank.rate == format.rate else { throw .rate(bank: bank.rate, device: format.rate) }
        guard onTheirWay < AudioShared.announcementLimit else { throw .queueFull }
        let reader: PlanReader
        do throws(ClipError) {
            reader = try PlanReader(plan, bank: bank)
        } catch {
            throw .clip(error)
        }
        feeding.append(reader)
        let announcement = Announcement(
            id: id, start: end, end: end + reader.frames, gain: Volume(volume).gain)
        end = announcement.end
        onTheirWay += 1
        mayStop = true
        // The first frames before the rest, so that the thread begins while the control thread is still copying.
        feed(shared, most: format.rate / 10)
        _ = shared.pointee.commands.push(.play(announcement))
        shared.pointee.toAudio.signal()
        pump()
    }

    /// Changes the volume of what is being said, within 20 ms and without a click, and of what was accepted to follow.
    ///
    /// - Parameter volume: 0…100 as in ``ClipBank/render(_:volume:)``.
    public func setVolume(_ volume: Int) {
        // A volume too many is lost rather than the place of a stop.
        guard let shared, mayStop, shared.pointee.commands.free > 2 * AudioShared.announcementLimit else { return }
        _ = shared.pointee.commands.push(.volume(Volume(volume).gain))
        shared.pointee.toAudio.signal()
    }

    /// Cuts what is playing and forgets what was to follow: ``AudioEvent/stopped(id:)`` for each.
    public func stop() {
        guard let shared, mayStop else { return }
        mayStop = false
        send({ .cut($0) }, shared)
    }

    /// What happened since the last call, in order; feeds the ring as well. To be called when ``wakeDescriptor`` is
    /// readable.
    public func events() -> [AudioEvent] {
        guard let shared else { return [] }
        shared.pointee.toControl.clear()
        collect()
        pump()
        defer { pending = [] }
        return pending
    }

    /// Feeds what did not fit into the ring before. ``events()`` does this, too.
    public func pump() {
        guard let shared, !feeding.isEmpty else { return }
        feed(shared)
        shared.pointee.toAudio.signal()
    }

    /// Asks the audio thread for a sign of life: ``heartbeat`` will have moved soon.
    public func ping() {
        shared?.pointee.toAudio.signal()
    }

    /// Counts the turns of the audio thread. A thread that was pinged and has not moved it is stuck.
    public var heartbeat: Int { shared?.pointee.heartbeat.load(ordering: .acquiring) ?? 0 }

    /// What an idle box must not have: times that the audio thread woke up, and writes to the device, since the start.
    var activity: (wakeUps: Int, writes: Int) {
        guard let shared else { return (0, 0) }
        return (shared.pointee.wakeUps.load(ordering: .relaxed), shared.pointee.writes.load(ordering: .relaxed))
    }

    /// Takes over what the audio thread reported.
    private func collect() {
        guard let shared else { return }
        while let event = shared.pointee.events.pop() {
            switch event {
            case .ended, .stopped:
                onTheirWay -= 1
                if onTheirWay == 0 { mayStop = false }
            case .opened(let format):
                self.format = format
            case .lost:
                format = nil
                onTheirWay = 0
                mayStop = false
                send({ .forget($0) }, shared)
            case .began, .underrun:
                break
            }
            pending.append(event)
        }
    }

    /// Tells the audio thread that nothing of what was written so far counts.
    private func send(_ command: (Int) -> AudioCommand, _ shared: UnsafeMutablePointer<AudioShared>) {
        feeding = []
        end = shared.pointee.ring.written
        shared.pointee.isHungry.store(false, ordering: .releasing)
        _ = shared.pointee.commands.push(command(end))
        shared.pointee.toAudio.signal()
    }

    /// Copies frames into the ring, as many as fit, and where the clips among them begin.
    private func feed(_ shared: UnsafeMutablePointer<AudioShared>, most: Int = .max) {
        var left = most
        while !feeding.isEmpty, left > 0 {
            var position = shared.pointee.ring.written
            shared.pointee.ring.write { room in
                let count = feeding[0].read(into: room.extracting(0..<min(room.count, left))) { offset in
                    _ = shared.pointee.marks.push(position + offset)
                }
                position += count
                left -= count
                return count
            }
            if !feeding[0].isAtEnd { break }
            feeding.removeFirst()
        }
        shared.pointee.isHungry.store(!feeding.isEmpty, ordering: .releasing)
    }
}
