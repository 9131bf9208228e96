import Foundation
import SoundboxAudio
import SoundboxCore
import TestVoice

/// Why a test's daemon did not do what the test waits for, with its log.
struct DaemonError: Error, CustomStringConvertible {
    let description: String
}

/// `soundbox run` in a process of its own, with a voice of short clips and ALSA's `file` plugin for a speaker.
final class Daemon {
    /// The program under test, beside the tests.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("soundbox")
    /// The sources.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let folder: URL
    let configuration: String
    private var process: Process?
    private let ended = DispatchSemaphore(value: 0)

    /// Writes a configuration for a box named `b1`. Lines of `settings` come after the others, and win.
    init(port: UInt16, settings: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("soundbox-daemon-\(UUID().uuidString)")
        configuration = folder.appendingPathComponent("box.conf").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Daemon.writeVoice(at: folder.appendingPathComponent("test"))
        let lines =
            [
                "[box]", "id = b1", "state_dir = \(folder.path)/state", "[broker]", "host = 127.0.0.1",
                "port = \(port)",
                "[voice]", "pack = test", "packs_dir = \(folder.path)", "[panel]", "prompts = none", "[audio]",
                "device = file:FILE=\(sound),FORMAT=raw", "volume = 100",
            ] + settings
        try (lines.joined(separator: "\n") + "\n").write(toFile: configuration, atomically: true, encoding: .utf8)
    }

    /// Adds a drop-in to the configuration: settings for which the daemon's folder has to be known.
    func add(_ lines: String...) throws {
        let folder = "\(configuration).d"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try (lines.joined(separator: "\n") + "\n").write(
            toFile: "\(folder)/test.conf", atomically: true, encoding: .utf8)
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// What the speaker got: 16-bit samples.
    var sound: String { folder.appendingPathComponent("sound.raw").path }
    var log: String { (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "" }
    /// How often its log has this text so far.
    func count(_ text: String) -> Int { log.components(separatedBy: text).count - 1 }

    /// Waits until its log has this text so many times.
    func awaitLog(_ text: String, times: Int = 1) throws {
        let deadline = Date().addingTimeInterval(60)
        while count(text) < times {
            guard Date() < deadline else { throw DaemonError(description: "no \"\(text)\" in:\n\(log)") }
            usleep(10_000)
        }
    }

    private var logFile: String { folder.appendingPathComponent("log").path }

    /// Starts it, the log appended to what an earlier life wrote.
    func start(environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = Daemon.program
        process.arguments = ["run", "--config", configuration]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if !FileManager.default.fileExists(atPath: logFile) {
            _ = FileManager.default.createFile(atPath: logFile, contents: nil)
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: logFile))
        try file.seekToEnd()
        process.standardError = file
        process.standardOutput = FileHandle.nullDevice
        let ended = ended
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        self.process = process
    }

    /// SIGTERM, and its exit status once it has ended.
    @discardableResult
    func stop() -> Int32 {
        guard let process else { return -1 }
        process.terminate()
        return wait()
    }

    /// Waits until it ends by itself, and returns its exit status; -1 for one that had to be killed.
    @discardableResult
    func wait() -> Int32 {
        guard let process else { return -1 }
        self.process = nil
        guard ended.wait(timeout: .now() + 60) == .success else {
            Foundation.kill(process.processIdentifier, SIGKILL)
            ended.wait()
            return -1
        }
        return process.terminationStatus
    }

    func signal(_ signal: Int32) {
        if let process { Foundation.kill(process.processIdentifier, signal) }
    }

    /// SIGKILL: nothing is said, flushed or closed.
    func kill() {
        signal(SIGKILL)
        wait()
    }

    /// Its journal.
    var journal: String { folder.appendingPathComponent("state/journal.db").path }

    /// The samples that the speaker got so far.
    func heard() throws -> [Int16] {
        let data = try Data(contentsOf: URL(fileURLWithPath: sound))
        return stride(from: 0, to: data.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
        }
    }

    /// What `soundbox render` would write for an utterance.
    func rendered(_ utterances: [Utterance]) throws -> [Int16] {
        let planner = try TestVoice.planner()
        let bank = try ClipBank(
            folder: folder.appendingPathComponent("test/clips").path, files: planner.pack.clips.map(\.file),
            sourceRate: 48000, rate: 48000)
        return try utterances.flatMap { try bank.render(try planner.plan($0), volume: 100) }
    }

    /// Each word is 40 ms of a tone of its own.
    private static func writeVoice(at folder: URL) throws {
        let clips = folder.appendingPathComponent("clips")
        try FileManager.default.createDirectory(at: clips, withIntermediateDirectories: true)
        try TestVoice.manifest().text.write(
            to: folder.appendingPathComponent("pack.json"), atomically: true, encoding: .utf8)
        try TestVoice.grammar.write(
            to: folder.appendingPathComponent("grammar.rbnf"), atomically: true, encoding: .utf8)
        for (index, clip) in try TestVoice.planner().pack.clips.enumerated() {
            let pitch = 200 + 37 * Double(index)
            let samples = (0..<1920).map { frame -> Int16 in
                let phase = 2 * Double.pi * pitch * Double(frame) / 48000
                return Int16(12000 * sin(phase))
            }
            try WAVFile.write(samples, rate: 48000, to: clips.appendingPathComponent(clip.file).path)
        }
    }
}

/// Runs `soundbox` to its end.
func soundbox(
    _ arguments: String..., input: String? = nil, in folder: URL? = nil
) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = Daemon.program
    process.arguments = arguments
    process.currentDirectoryURL = folder ?? Daemon.root
    let (output, errors, stdin) = (Pipe(), Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = stdin
    try process.run()
    stdin.fileHandleForWriting.write(Data((input ?? "").utf8))
    try stdin.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text, complaint)
}
