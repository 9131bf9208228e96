import Glibc
import SoundboxAudio
import SoundboxCore
import SoundboxGPIO
import SoundboxJournal
import SoundboxMQTT
import SoundboxPlatform
import SoundboxTrust

/// Why the daemon could not start.
public struct ServiceError: Error, Sendable, CustomStringConvertible {
    /// What was tried, and why it failed.
    public var description: String
}

/// The daemon: wires the adapters to the speaker, and runs the control thread's loop.
///
/// The thread that calls ``run(configuration:file:log:)`` is the control thread. It owns the speaker and performs its
/// effects; the mqtt, journal and audio threads only ever put letters into its mailbox or raise its descriptors.
public final class Service {
    /// What the control thread finds in its mailbox.
    enum Letter: Sendable {
        case mqtt(MQTTEvent)
        case journal(JournalEvent)
        case reloaded(Result<Reload, ReloadError>, command: String?)
    }

    let configuration: Configuration
    let file: String
    let log: Log
    let manager = ServiceManager()
    let mailbox: Mailbox<Letter>
    let journal: Journal
    let mqtt: MQTTClient
    let engine: AudioEngine
    let panel: PanelDriver
    var wasHung = false
    /// Outlives the engine, whose audio thread switches it.
    private let amplifier: SwitchedLine?
    var voice: Voice
    var clips: ClipBank
    var speaker: Speaker
    var watchdog: Watchdog
    let keys: KeyHolder
    /// What the card's mixer was last set to; nil where that is not known.
    var cardVolume: Int?
    /// Why the mixer could not be set the last time; nil where it could.
    var mixerError: MixerError?
    var commits = CommitWatch()
    var receipts = ReceiptWindow()
    private var clockWasSynchronised = false
    private let lock: ProcessLock?

    /// Runs until SIGTERM or SIGINT; then says farewell and returns. Throws where it cannot start.
    public static func run(configuration: Configuration, file: String, log: Log) throws(ServiceError) {
        let signals: SignalDescriptor
        do {
            // Before any thread starts, since each inherits what is blocked.
            signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        } catch {
            throw ServiceError(description: error.description)
        }
        if let zone = configuration.box.timeZone { LocalClock.setZone(zone) }
        let service = try Service(configuration: configuration, file: file, log: log)
        service.loop(signals: signals)
        service.stop()
    }

    private init(configuration: Configuration, file: String, log: Log) throws(ServiceError) {
        self.configuration = configuration
        self.file = file
        self.log = log
        panel = PanelDriver(configuration.panel, at: SystemClock.monotonic)
        do {
            let voice = try Voice(folder: configuration.voice.folder)
            // A box without a disk to write on still speaks; the journal says what it cannot do.
            try? File.makeFolder(configuration.box.stateDirectory)
            lock = try Service.lock(configuration.box.stateDirectory)
            let mailbox = try Mailbox<Letter>()
            let journal = try Journal(path: configuration.journalFile) {
                mailbox.put(.journal($0))
            }
            if let recovered = journal.recovered { log.write(.error, "journal: \(recovered)") }
            amplifier = Service.amplifier(configuration.panel, log: log)
            var audioSettings = configuration.audioSettings
            audioSettings.amplifier = amplifier.map {
                Amplifier(
                    lead: configuration.panel.amplifierLead, context: $0.context, switch: SwitchedLine.function)
            }
            engine = AudioEngine(audioSettings)
            try engine.start()
            if let warning = engine.realTimeWarning { log.write(.warning, warning) }
            clips = try voice.clips(rate: engine.format?.rate ?? 48_000)
            mqtt = try MQTTClient(try configuration.boxConnection()) { mailbox.put(.mqtt($0)) }
            self.mailbox = mailbox
            self.journal = journal
            self.voice = voice
            let keys = KeyHolder(try KeyRing(folder: configuration.trust.noticeKeys))
            self.keys = keys
            var settings = Speaker.Settings(
                topics: configuration.topics, name: configuration.box.name, version: SoundboxVersion.text,
                volume: configuration.audio.volume, style: configuration.voice.style,
                queueLimit: configuration.policy.queueLimit, mergeAfter: configuration.policy.mergeAfter,
                lateness: configuration.policy.lateness, night: configuration.audio.night,
                requiresSignature: configuration.policy.requiresSignature, prompts: configuration.panel.prompts)
            settings.announcesToHomeAssistant = configuration.broker.announcesToHomeAssistant
            speaker = Speaker(
                settings: settings, planner: voice.planner,
                ports: Speaker.Ports(
                    history: { journal.notice(id: $0) }, signature: { keys.ring.verdict(on: $0) },
                    digest: Digest.sha256,
                    spokenPayment: { journal.spokenPayment(back: $0) }, totals: { journal.totals(since: $0) },
                    unspoken: { journal.unspoken(after: $0, limit: $1) },
                    localTime: { LocalClock.read($0) }),
                kept: Service.kept(in: journal), commands: journal.commands(),
                at: Now(
                    monotonic: SystemClock.monotonic, wall: SystemClock.wall,
                    wallIsTrusted: SystemClock.isSynchronised))
            watchdog = Watchdog(interval: manager.watchdogInterval)
            try mqtt.start()
        } catch {
            throw ServiceError(description: "\(error)")
        }
        log.write(
            .notice,
            "soundbox \(SoundboxVersion.text), box \(configuration.box.id), voice \(voice.planner.pack.id) "
                + "\(voice.planner.pack.version), broker \(configuration.broker.host):\(configuration.brokerPort)")
        manager.notify("READY=1")
    }

    private func stop() {
        manager.notify("STOPPING=1")
        log.write(.notice, "stopping")
        handle(.stopping)
        engine.close()
        // What came in last is recorded, committed and acknowledged first: with an acknowledgement outstanding libmosquitto
        // could not say goodbye, and the broker would publish the will.
        for letter in mailbox.take() { open(letter) }
        endTurn()
        // And what was heard meanwhile is recorded in the turn after, so that it is not said again at the next start.
        let deadline = SystemClock.monotonic + 500_000_000
        while speaker.isCommitting, SystemClock.monotonic < deadline {
            mailbox.wait(milliseconds: 100)
            for letter in mailbox.take() { open(letter) }
            endTurn()
        }
        journal.stop(within: 500)
        for letter in mailbox.take() {
            if case .journal = letter { open(letter) }
        }
        panel.turnOff(at: SystemClock.monotonic)
        mqtt.stop(farewell: MQTTPublication(speaker.farewell()))
    }

    // MARK: - The loop

    private func loop(signals: SignalDescriptor) {
        if let failure = journal.openFailure { handle(.journalFailed("\(failure)")) }
        startPanel()
        sendReceipts()
        while true {
            endTurn()
            showPanel()
            let own = [mailbox.descriptor, engine.wakeDescriptor, signals.descriptor]
            var descriptors = (own + panel.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // A signal that interrupts the wait has nothing for us: ours come through their descriptor.
            _ = poll(&descriptors, nfds_t(descriptors.count), timeout())
            for letter in mailbox.take() { open(letter) }
            for event in engine.events() { take(event) }
            takePresses()
            giveUpOverdueCommits()
            while let signal = signals.take() {
                if signal == SIGHUP {
                    reload(command: nil)
                } else {
                    return
                }
            }
            handle(.tick)
            feedWatchdog()
        }
    }

    /// Milliseconds until something is due.
    private func timeout() -> Int32 {
        let now = SystemClock.monotonic
        let due = min(speaker.deadline, watchdog.deadline, commits.deadline, panel.deadline(after: now))
        guard due > now else { return 0 }
        return Int32(clamping: (due - now) / 1_000_000 + 1)
    }

    private func feedWatchdog() {
        guard SystemClock.monotonic >= watchdog.deadline else { return }
        let beats = [mqtt.heartbeat, journal.heartbeat, UInt64(engine.heartbeat)]
        if watchdog.look(beats, at: SystemClock.monotonic) { manager.notify("WATCHDOG=1") }
        mqtt.poke()
        journal.poke()
        engine.ping()
    }

    func now() -> Now {
        clockWasSynchronised = clockWasSynchronised || SystemClock.isSynchronised
        return Now(monotonic: SystemClock.monotonic, wall: SystemClock.wall, wallIsTrusted: clockWasSynchronised)
    }

    func handle(_ event: Event) {
        perform(speaker.handle(event, at: now()))
    }

    private func endTurn() {
        perform(speaker.endTurn(at: now()))
    }
}
