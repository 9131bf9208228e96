import Foundation
import SoundboxCore
import SoundboxJournal
import TestBroker
import TestSupport
import TestVoice
import Testing

/// kill -9 at any moment, over a stream of notices: nothing is lost, and nothing that was recorded as spoken is said again.
///
/// The witnesses are three: the journal's file as each killed process left it, the samples that each process gave to the
/// speaker, taken apart into words, and the receipts. `SOUNDBOX_SOAK_ROUNDS` and `SOUNDBOX_SOAK_SEED` make it longer and
/// repeat a run.
@Suite(.timeLimit(.minutes(60)))
struct KillTests {
    @Test(
        "Every notice is spoken and has one last word, whenever the box dies, and none that was recorded is said again")
    func anyMoment() throws {
        let (rounds, seed) = KillTests.asked
        print("kill -9: \(rounds) rounds, seed \(seed)")
        var soak = try Soak(seed: seed)
        for round in 0..<rounds { try soak.play(round) }
        let ids = try soak.finish()

        let words = try soak.backend.lastWords(of: ids)
        for id in ids {
            #expect(words[id]?.count == 1, "\(id): \(words[id] ?? [])")
            #expect(words[id]?.first?.contains(#""state":"spoken""#) == true, "\(id): \(words[id] ?? [])")
        }
        #expect(Set(words.keys) == Set(ids))
        #expect(Set(soak.heard).isSuperset(of: soak.recordedBeforeEnd))
        print("kill -9: \(ids.count) notices, \(soak.heard.count) times heard, \(soak.cuts) cut in the middle")
    }
}

extension KillTests {
    private static var asked: (rounds: Int, seed: UInt64) {
        let environment = ProcessInfo.processInfo.environment
        return (
            environment["SOUNDBOX_SOAK_ROUNDS"].flatMap { Int($0) } ?? 20,
            environment["SOUNDBOX_SOAK_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        )
    }

    @Test("A burst that the queue cannot hold loses nothing either, and what was recorded as spoken stays as it is")
    func bursts() throws {
        let (rounds, seed) = KillTests.asked
        print("kill -9 in bursts: \(rounds / 4) rounds, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let broker = try Broker()
        let daemon = try Daemon(port: broker.port, settings: ["[policy]", "queue_limit = 30"])
        let backend = try Backend(port: broker.port, isPersistent: true)
        try daemon.start()
        try backend.status("online")
        daemon.stop()

        func recorded() throws -> [String: NoticeRecord] {
            let notices = try JournalView(path: daemon.journal).notices(since: Timestamp(milliseconds: 0), limit: .max)
            return Dictionary(uniqueKeysWithValues: notices.filter { $0.state != .accepted }.map { ($0.id, $0) })
        }
        var ids: [String] = []
        var before: [String: NoticeRecord] = [:]
        for _ in 0..<rounds / 4 {
            try daemon.start()
            for _ in 0..<Int.random(in: 0...150, using: &random) {
                ids.append("n\(ids.count)")
                try backend.pay(#"{"id":"n\#(ids.count - 1)","amountMinor":\#(ids.count)}"#)
            }
            if Bool.random(using: &random), let id = ids.first(where: { before[$0] == nil }) {
                _ = try backend.lastWords(of: [id])
            }
            usleep(.random(in: 0...600_000, using: &random))
            daemon.kill()
            let after = try recorded()
            for (id, notice) in before { #expect(after[id] == notice) }
            before = after
        }
        try daemon.start()
        let words = try backend.lastWords(of: ids)
        #expect(daemon.stop() == 0)
        let after = try recorded()
        for (id, notice) in before { #expect(after[id] == notice) }
        #expect(Set(after.keys) == Set(ids) && after.values.allSatisfy { $0.state == .spoken })
        for id in ids { #expect(words[id]?.count == 1, "\(id): \(words[id] ?? [])") }
        print("kill -9 in bursts: \(ids.count) notices")
    }
}

/// The lives of one box.
private struct Soak {
    let broker: Broker
    let daemon: Daemon
    let backend: Backend
    private var random: SeededGenerator
    private let words: Words
    private var ids: [String] = []
    /// What the journal says was spoken, as the process that was killed last left it.
    private var recorded: Set<String> = []
    private(set) var recordedBeforeEnd: Set<String> = []
    /// Every time that a notice was heard to its end, and how often one was not.
    private(set) var heard: [String] = []
    private(set) var cuts = 0

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        broker = try Broker()
        daemon = try Daemon(port: broker.port, settings: ["[policy]", "merge_after = 0"])
        backend = try Backend(port: broker.port, isPersistent: true)
        words = try Words(folder: daemon.folder.appendingPathComponent("test/clips"))
        // A broker keeps nothing for a box that never was there.
        try daemon.start()
        try backend.status("online")
        daemon.stop()
    }

    private mutating func pay() throws {
        // Four digits, so that each notice sounds like no other.
        let id = String(1000 + ids.count)
        ids.append(id)
        try backend.pay(#"{"id":"\#(id)","amountMinor":\#(id)}"#)
    }

    /// One life, and what comes in while the box is dead.
    mutating func play(_ round: Int) throws {
        try daemon.start()
        let isBusy = ids.count - recorded.count > 8
        let count = ids.count
        for _ in 0..<(isBusy ? 0 : Int.random(in: 0...3, using: &random)) {
            try pay()
            usleep(.random(in: 0...30_000, using: &random))
        }
        // Near something that happens, or at any time.
        switch Int.random(in: 0..<6, using: &random) {
        // An `accepted` that a death has cut off does not come any more.
        case 0: if ids.count > count, let id = ids.last { try backend.receipt(id, "accepted") }
        case 1: if let id = ids.last { try backend.receipt(id, "spoken") }
        case 2: if let id = ids.first(where: { !recorded.contains($0) }) { try backend.receipt(id, "spoken") }
        default: usleep(.random(in: 0...900_000, using: &random))
        }
        usleep(.random(in: 0...4000, using: &random))
        daemon.kill()
        try examine()
        if Int.random(in: 0..<10, using: &random) == 0 {
            broker.stop()
            try broker.start()
        }
        if !isBusy, Int.random(in: 0..<3, using: &random) == 0 { try pay() }
    }

    /// The last life, which ends by itself.
    mutating func finish() throws -> [String] {
        try daemon.start()
        _ = try backend.lastWords(of: ids)
        recordedBeforeEnd = recorded
        #expect(daemon.stop() == 0)
        try examine()
        #expect(recorded == Set(ids))
        return ids
    }

    /// What the process that just ended said, and what it left in the journal.
    private mutating func examine() throws {
        let before = recorded
        if FileManager.default.fileExists(atPath: daemon.sound) {
            for saying in words.sayings(in: try daemon.heard()) {
                guard saying.count == 4 else {
                    cuts += 1
                    continue
                }
                #expect(!before.contains(saying), "\(saying) was recorded as spoken and is heard again")
                heard.append(saying)
            }
            try FileManager.default.removeItem(atPath: daemon.sound)
        }
        guard FileManager.default.fileExists(atPath: daemon.journal) else { return }
        let notices = try JournalView(path: daemon.journal).notices(since: Timestamp(milliseconds: 0), limit: .max)
        recorded = Set(notices.filter { $0.state == .spoken }.map(\.id))
        #expect(recorded.isSuperset(of: before))
        #expect(notices.allSatisfy { $0.state == .spoken || $0.state == .accepted })
    }
}

/// The words of the test voice by their samples.
private struct Words {
    private struct Beginning: Hashable {
        var second: Int16
        var third: Int16
    }

    private var clips: [Beginning: (word: String, samples: [Int16])] = [:]

    init(folder: URL) throws {
        for word in TestVoice.digits + ["paid"] {
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(word).wav")).suffix(2 * 1920))
            let samples = stride(from: 0, to: bytes.count, by: 2).map {
                Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
            }
            clips[Beginning(second: samples[1], third: samples[2])] = (word, samples)
        }
    }

    /// The digits of each payment that was said, in order; fewer than four where it was cut.
    func sayings(in sound: [Int16]) -> [String] {
        var sayings: [String] = []
        var place = 0
        while place + 2 < sound.count {
            guard sound[place] == 0,
                let (word, samples) = clips[Beginning(second: sound[place + 1], third: sound[place + 2])],
                sound[place...].starts(with: samples)
            else {
                place += 1
                continue
            }
            place += samples.count
            if word == "paid" {
                sayings.append("")
            } else if let digit = TestVoice.digits.firstIndex(of: word), !sayings.isEmpty {
                sayings[sayings.count - 1] += String(digit)
            }
        }
        return sayings
    }
}
