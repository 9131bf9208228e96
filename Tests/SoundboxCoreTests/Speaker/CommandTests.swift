import TestVoice
import Testing

@testable import SoundboxCore

/// Commands: each runs once and gets exactly one reply.
struct CommandTests {
    let box: TestBox

    init() throws {
        box = TestBox(planner: try TestVoice.planner())
    }

    private func reply(_ payload: String) -> JSON? {
        box.forget()
        box.command(payload)
        #expect(box.replies.count == 1, "\(payload)")
        return box.replies.last
    }

    private func finishSpeaking() {
        while box.playing != nil { box.hear() }
    }

    @Test("Refusals carry their reason, and the id where there is one")
    func refusals() {
        let table: [(String, JSON, String)] = [
            ("x", .null, "not-json"), ("[]", .null, "not-an-object"), (#"{"do":"stop"}"#, .null, "id-missing"),
            (#"{"id":"","do":"stop"}"#, .null, "id-missing"), (#"{"id":"1"}"#, "1", "do-missing"),
            (#"{"id":"2","do":"dance"}"#, "2", "do-unknown"), (#"{"id":"3","do":"say"}"#, "3", "amount-missing"),
            (#"{"id":"4","do":"say","amount":"1.234"}"#, "4", "amount-too-precise"),
            (#"{"id":"5","do":"say","amount":"1","currency":"XYZ"}"#, "5", "currency-unknown"),
            (#"{"id":"6","do":"play"}"#, "6", "clip-missing"),
            (#"{"id":"7","do":"play","phrase":"x"}"#, "7", "phrase-unknown"),
            (#"{"id":"8","do":"volume"}"#, "8", "volume-out-of-range"),
            (#"{"id":"9","do":"volume","volume":101}"#, "9", "volume-out-of-range"),
            (#"{"id":"10","do":"volume","volume":"loud"}"#, "10", "volume-out-of-range"),
            (#"{"id":"11","do":"mute","mute":"yes"}"#, "11", "mute-not-boolean"),
            (#"{"id":"12","do":"log-level","level":"all"}"#, "12", "level-unknown"),
            (#"{"id":"13","do":"stop","expiresAt":"soon"}"#, "13", "expires-at-malformed"),
            (#"{"id":"14","do":"repeat"}"#, "14", "nothing-yet"),
            (#"{"id":"15","id":"15","do":"stop"}"#, .null, "duplicate-key"),
            (#"{"id":"16","do":"stop","expiresAt":"2020-01-01T00:00:00Z"}"#, "16", "expired"),
            (#"{"id":"17","do":"say","text":"hello"}"#, "17", "clip-missing"),
        ]
        for (payload, id, reason) in table {
            #expect(
                reply(payload) == .object([.init("id", id), .init("ok", false), .init("reason", .string(reason))]),
                "\(payload)")
        }
    }

    @Test("A repeated id runs once and gets its first reply, also after a restart")
    func idempotent() throws {
        let up = #"{"id":"up","do":"volume","volume":"+10"}"#
        #expect(reply(up)?["volume"] == 90)
        let first = box.replies.last
        #expect(reply(up) == first)
        #expect(reply(#"{"id":"up","do":"dance"}"#) == first)
        #expect(box.speaker.kept.volume == 90)
        let record = CommandRecord(id: "up", reply: first?.text ?? "")
        let reborn = TestBox(planner: try TestVoice.planner(), commands: [record])
        reborn.command(up)
        #expect(reborn.replies == [first])
        #expect(reborn.speaker.kept.volume == 80)
    }

    @Test("256 ids are remembered, the oldest goes first, and each reply is recorded before it is acknowledged")
    func memory() {
        for id in 0..<257 { _ = reply(#"{"id":"\#(id)","do":"volume","volume":\#(id % 50)}"#) }
        #expect(box.speaker.commands["0"] == nil)
        #expect(box.speaker.commands["1"] != nil)
        let kinds = box.effects.compactMap { effect -> String? in
            switch effect {
            case .recordCommand: "record"
            case .commit: "commit"
            case .acknowledge: "acknowledge"
            default: nil
            }
        }
        #expect(kinds == ["record", "commit"])
    }

    @Test("A retained command is refused and does not use up its id")
    func retained() {
        box.command(#"{"id":"1","do":"volume","volume":5}"#, retained: true)
        #expect(box.replies.last?["reason"] == "retained")
        #expect(reply(#"{"id":"1","do":"volume","volume":5}"#)?["ok"] == true)
    }

    @Test("An expiry is not believed while the clock was never set")
    func expiryWithoutClock() {
        var now = box.now
        now.wallIsTrusted = false
        let effects = box.speaker.handle(
            .command(
                payload: Array(#"{"id":"1","do":"stop","expiresAt":"2020-01-01T00:00:00Z"}"#.utf8), retained: false),
            at: now)
        #expect(effects.contains { if case .publish(let reply) = $0 { reply.payload.contains("true") } else { false } })
    }

    @Test("Say, play, prompt and identify speak")
    func speaking() {
        let table = [
            (#"{"id":"1","do":"say","amount":"8.88"}"#, "eight eight eight"),
            (#"{"id":"2","do":"say","amount":8.88,"channel":"alipay"}"#, "alipay, eight eight eight"),
            (#"{"id":"3","do":"say","text":"book one"}"#, "book one"),
            (#"{"id":"4","do":"play","clip":"test"}"#, "test"),
            (#"{"id":"5","do":"play","phrase":"order.report"}"#, "report"),
            (#"{"id":"6","do":"prompt","prompt":"online"}"#, "online"), (#"{"id":"7","do":"identify"}"#, "test"),
        ]
        for (payload, words) in table {
            #expect(reply(payload)?["says"] == .string(words), "\(payload)")
            #expect(box.said == [words], "\(payload)")
            finishSpeaking()
        }
    }

    @Test("Volume goes to a value or by steps, stays within 0 and 100, and is said")
    func volume() {
        let table: [(String, Int, String)] = [
            ("70", 70, "volume seven zero"), ("\"+20\"", 90, "volume nine zero"), ("\"+20\"", 100, "loudest"),
            ("-30", 70, "volume seven zero"), ("\"15\"", 15, "volume one five"),
        ]
        for (index, (value, volume, words)) in table.enumerated() {
            #expect(reply(#"{"id":"\#(index)","do":"volume","volume":\#(value)}"#)?["volume"] == JSON(volume))
            #expect(box.said == [words])
            #expect(box.effects.contains { if case .play(_, volume) = $0 { true } else { false } })
            #expect(box.statuses.last?["volume"] == JSON(volume))
            finishSpeaking()
        }
    }

    @Test("Muted or at volume 0 a payment is failed, muted, never spoken", arguments: ["mute", "volume"])
    func muted(how: String) {
        _ = reply(how == "mute" ? #"{"id":"1","do":"mute"}"# : #"{"id":"1","do":"volume","volume":0}"#)
        finishSpeaking()
        box.forget()
        box.notice(TestBox.payment("n1"))
        box.commit()
        #expect(box.states == ["n1 accepted", "n1 failed muted"])
        #expect(box.said.isEmpty)
        let records = box.effects.compactMap { if case .record(let record) = $0 { record.state } else { nil } }
        #expect(records == [.accepted, .failed])
        _ = reply(how == "mute" ? #"{"id":"2","do":"mute","mute":false}"# : #"{"id":"2","do":"volume","volume":50}"#)
        finishSpeaking()
        box.forget()
        box.notice(TestBox.payment("n2"))
        #expect(box.said == ["paid, one two three"])
    }

    @Test("Stop cuts what is said; a payment that was cut has failed")
    func stop() {
        #expect(reply(#"{"id":"0","do":"stop"}"#)?["stopped"] == false)
        box.notice(TestBox.payment("n1"))
        box.commit()
        #expect(reply(#"{"id":"1","do":"stop"}"#)?["stopped"] == true)
        #expect(box.effects.contains(.stop))
        guard let id = box.playing?.id else { return }
        box.send(.stopped(id))
        #expect(box.states == ["n1 failed stopped"])
    }

    @Test("Clear-queue gives up what waits, not what is being said")
    func clearQueue() {
        for id in 1...3 { box.notice(TestBox.payment("n\(id)")) }
        #expect(reply(#"{"id":"1","do":"clear-queue"}"#)?["cleared"] == 2)
        for ticket in 1...4 { box.send(.committed(UInt64(ticket), failure: nil)) }
        #expect(box.states == ["n1 accepted", "n2 accepted", "n2 failed cleared", "n3 accepted", "n3 failed cleared"])
    }

    @Test("Reload answers when it is done, and what waits is planned with the new voice")
    func reload() throws {
        box.notice(TestBox.payment("n1"))
        box.notice(#"{"id":"n2","kind":"order","order":"book"}"#)
        box.forget()
        box.command(#"{"id":"1","do":"reload"}"#)
        #expect(box.effects.contains(.reload(command: "1")))
        #expect(box.replies.isEmpty)
        #expect(reply(#"{"id":"2","do":"reload"}"#)?["reason"] == "busy")
        // One more clip in front moves the index of every other.
        let planner = try TestVoice.planner(id: "other", extra: ["aaa"])
        box.forget()
        box.send(.reloaded(.success(.init(planner: planner, style: nil)), command: "1"))
        #expect(box.replies.last?["pack"] == "other")
        box.hear()
        let plan = try planner.plan(.phrase("order.book"))
        #expect(box.playing?.plan == plan)
        #expect(reply(#"{"id":"3","do":"log-level","level":"debug"}"#)?["ok"] == true)
        #expect(box.effects.contains(.setLogLevel(.debug)))
        box.forget()
        box.command(#"{"id":"4","do":"reload"}"#)
        box.send(.reloaded(.failure(ReloadError("pack.json: broken")), command: "4"))
        #expect(box.replies.last?["reason"] == "pack.json: broken")
        #expect(box.speaker.planner.pack.id == "other")
    }
}
