import TestVoice
import Testing

@testable import SoundboxCore

/// Signed and forged messages, as the speaker takes them. The test's signatures are prefixes: `good:` and `bad:`.
struct TrustTests {
    private func box(requiresSignature: Bool = true, wallIsTrusted: Bool = true) throws -> TestBox {
        var settings = TestBox.settings
        settings.requiresSignature = requiresSignature
        settings.topics = Topics(root: "soundbox", box: "b1", groups: ["north"])
        let planner = try TestVoice.planner()
        return TestBox(settings: settings, planner: planner, shelf: TestShelf(), wallIsTrusted: wallIsTrusted)
    }

    /// A payment signed some seconds ago.
    private func signed(_ box: TestBox, _ id: String = "n1", box name: String = "b1", ago: Int64 = 0) -> String {
        #"good:{"id":"\#(id)","amount":"1.23","box":"\#(name)","iat":\#(box.wall / 1000 - ago)}"#
    }

    @Test("A signed notice for this box is spoken, and stored as the message that it holds")
    func spoken() throws {
        let box = try box()
        box.notice(signed(box))
        box.commit()
        box.hear()
        #expect(box.states == ["n1 accepted", "n1 speaking", "n1 spoken"])
        let stored = box.effects.lazy.compactMap { if case .record(let record) = $0 { record.payload } else { nil } }
            .first
        #expect(stored?.first == UInt8(ascii: "{"))
    }

    @Test("Signed notices are verified where no signature is required, too; and unsigned ones are then taken")
    func optional() throws {
        let box = try box(requiresSignature: false)
        box.notice(TestBox.payment("n1"))
        box.notice(signed(box, "n2"))
        box.notice(signed(box, "n3").replacing("good:", with: "bad:"))
        #expect(box.states == ["null rejected signature"])
        #expect(box.speaker.open.count == 2)
    }

    /// What is refused, and why. `IAT` stands for now.
    static let refused: [(String, String)] = [
        (#"{"id":"n1","amount":"1"}"#, "unsigned"), ("nonsense", "unsigned"),
        (#"bad:{"id":"n1","amount":"1","box":"b1","iat":IAT}"#, "signature"),
        (#"good:{"id":"n1","amount":"1","box":"b2","iat":IAT}"#, "box-mismatch"),
        (#"good:{"id":"n1","amount":"1","box":"all","iat":IAT}"#, "box-mismatch"),
        (#"good:{"id":"n1","amount":"1","iat":IAT}"#, "box-mismatch"),
        (#"good:{"id":"n1","amount":"1","box":["b1"],"iat":IAT}"#, "box-mismatch"),
        (#"good:{"id":"n1","amount":"1","box":"b1"}"#, "iat-missing"),
        (#"good:{"id":"n1","amount":"1","box":"b1","iat":"IAT"}"#, "iat-missing"),
        (#"good:{"id":"n1","amount":"1","box":"b1","iat":1.7e9}"#, "iat-missing"),
        (#"good:{"id":"n1","amount":"1","box":"b1","iat":-5}"#, "iat-missing"),
        (#"good:{"id":"n1","amount":"1","box":"b1","iat":9223372036854775807}"#, "iat-missing"),
        (#"good:{"id":"n1","amount":"1","box":"b2","box":"b1","iat":IAT}"#, "not-json"),
        ("good:nonsense", "not-json"),
        (#"good:{"id":"n1","amount":"1","box":"b1","iat":LATE}"#, "iat-out-of-range"),
        (#"good:{"id":"n1","amount":"1","box":"b1","iat":EARLY}"#, "iat-out-of-range"),
        (#"good:{"id":"n1","amount":"1","box":"b1","iat":IAT,"pad":"PAD"}"#, "too-large"),
    ]

    @Test("What is not to be trusted is silent, answered without its id, and leaves no trace in the journal")
    func refused() throws {
        for (template, reason) in Self.refused {
            let box = try box()
            let second = box.wall / 1000
            let payload = template.replacing("LATE", with: "\(second + 301)")
                .replacing("EARLY", with: "\(second - 30 * 86_400 - 1)").replacing("IAT", with: "\(second)")
                .replacing("PAD", with: String(repeating: "x", count: 8192))
            box.notice(payload)
            #expect(box.states == ["null rejected \(reason)"], "\(template)")
            #expect(box.receipts.first?["sha256"]?.string?.hasPrefix("digest of ") == true)
            #expect(box.said.isEmpty && box.lastCommit == nil)
            // The id is still free.
            box.notice(signed(box))
            #expect(box.playing != nil, "\(template)")
        }
    }

    @Test(
        "Within its window a message is taken: five minutes ahead, thirty days behind; any time while the clock is wrong"
    )
    func window() throws {
        for ago: Int64 in [-300, 0, 30 * 86_400] {
            let box = try box()
            box.notice(signed(box, ago: ago))
            #expect(box.playing != nil, "\(ago)")
        }
        for ago: Int64 in [-400_000_000, 400_000_000] {
            let box = try box(wallIsTrusted: false)
            box.notice(signed(box, ago: ago))
            #expect(box.playing != nil, "\(ago)")
        }
    }

    @Test("A replayed notice is a duplicate")
    func replay() throws {
        let box = try box()
        let notice = signed(box)
        for _ in 0..<2 {
            box.notice(notice)
            box.commit()
            box.hear()
        }
        #expect(box.states == ["n1 accepted", "n1 speaking", "n1 spoken", "n1 duplicate"])
        #expect(box.said.count == 1)
    }

    @Test("A command may be for this box, one of its groups, or all; a day old at most")
    func commands() throws {
        let box = try box()
        let second = box.wall / 1000
        func send(_ id: String, _ name: String, ago: Int64 = 0, mark: String = "good:") {
            box.command(#"\#(mark){"id":"\#(id)","do":"volume","volume":33,"box":"\#(name)","iat":\#(second - ago)}"#)
        }
        for name in ["b1", "all", "group/north"] { send("c-\(name)", name) }
        for name in ["b2", "group/south", "", "group/"] { send("d-\(name)", name) }
        send("old", "b1", ago: 86_401)
        send("bad", "b1", mark: "bad:")
        send("none", "b1", mark: "")
        let replies = box.replies.map { "\($0["id"]?.string ?? "null") \($0["reason"]?.string ?? "ok")" }
        var expected = ["c-b1 ok", "c-all ok", "c-group/north ok"]
        expected += Array(repeating: "null box-mismatch", count: 4)
        expected += ["null iat-out-of-range", "null signature", "null unsigned"]
        #expect(replies == expected)
    }

    @Test("A flood of forged notices is counted, and told in the log once a minute")
    func flood() throws {
        let box = try box()
        for _ in 0..<1000 {
            box.notice("bad:x")
            box.advance(milliseconds: 100)
        }
        let lines = box.effects.filter { if case .log(.warning, _, _) = $0 { true } else { false } }
        #expect(lines.count == 2)
        #expect(box.states.count == 1000)
        #expect(box.speaker.reports.distrusted == 1000)
        #expect(!box.effects.contains { if case .commit = $0 { true } else { false } })
    }
}
