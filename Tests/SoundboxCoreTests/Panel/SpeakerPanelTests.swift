import TestVoice
import Testing

@testable import SoundboxCore

/// What presses come to, what the lights are told, and what the box says of itself.
struct SpeakerPanelTests {
    let box: TestBox

    init() throws {
        box = TestBox(planner: try TestVoice.planner())
    }

    /// What was handed to the audio engine: words, or `♪` and the tone.
    var heard: [String] {
        box.effects.compactMap { effect in
            guard case .play(let announcement, _) = effect else { return nil }
            if case .tone(let tone) = announcement.plan.steps.first { return "♪ \(tone)" }
            return announcement.plan.text
        }
    }

    /// Effects but those of sound and of the network.
    var answers: Int { box.effects.count { $0 == .answer } }

    func press(_ actions: Buttons.Action...) {
        for action in actions { box.send(.button(action)) }
        box.endTurn()
    }

    // MARK: - Answers

    @Test("A press is answered by a tick where nothing is said, else by a light")
    func answer() {
        press(.pressed(.repeat))
        #expect(heard == ["♪ tick"] && answers == 0)
        box.hear()
        box.notice(TestBox.payment("n1"))
        box.forget()
        press(.pressed(.repeat))
        #expect(heard.isEmpty && answers == 1)
        box.hear()
        box.forget()
        press(.mute)
        box.hear()
        box.forget()
        press(.pressed(.repeat))
        #expect(heard.isEmpty && answers == 1)
        box.send(.cardLost("gone"))
        press(.pressed(.repeat))
        #expect(answers == 2)
    }

    @Test("A tick holds up nothing: what is to be said comes next, and ticks do not pile up")
    func tickGivesWay() {
        press(.volume(1), .volume(1), .volume(1))
        #expect(heard == ["♪ tick"])
        box.notice(TestBox.payment("n1", "0.01"))
        box.hear()
        #expect(heard == ["♪ tick", "paid, one"])
        box.hear()
        #expect(heard == ["♪ tick", "paid, one"])
    }

    @Test("The seconds to the reset are counted by chimes; the reset takes volume and mute back to the configuration")
    func reset() {
        press(.volume(-3), .mute)
        while box.playing != nil { box.hear() }
        press(.mute)
        while box.playing != nil { box.hear() }
        box.forget()
        for seconds in (1...5).reversed() {
            press(.countdown(seconds))
            box.hear()
        }
        press(.reset)
        #expect(heard == [String](repeating: "♪ chime", count: 5) + ["done"])
        #expect(box.statuses.last?["volume"] == 80 && box.statuses.last?["muted"] == false)
    }

    // MARK: - Volume

    @Test("Volume: five at a time, a tick at the new volume, the ends spoken once while the button is held")
    func volume() throws {
        let box = TestBox(settings: settings([.volume]), planner: try TestVoice.planner())
        var volumes: [Int] = []
        for _ in 0..<6 {
            box.send(.button(.volume(1)))
            box.endTurn()
            for case .play(_, let volume) in box.effects { volumes.append(volume) }
            box.forget()
            if box.playing?.priority == .chime { box.hear() }
        }
        #expect(volumes == [85, 90, 95, 100])
        #expect(box.playing?.plan.text == "loudest")
        box.hear()
        for _ in 0..<30 {
            box.send(.button(.volume(-1)))
            if box.playing?.priority == .chime { box.hear() }
        }
        box.endTurn()
        #expect(box.statuses.last?["volume"] == 5)
        #expect(box.playing?.plan.text == "quietest")
    }

    @Test("A press of a volume button ends muting")
    func unmute() {
        press(.mute)
        #expect(box.statuses.last?["muted"] == true)
        press(.volume(1))
        #expect(box.statuses.last?["muted"] == false && box.statuses.last?["volume"] == 85)
    }

    @Test("Muting is said also by a box that is silent then; where it is not to be said it is answered all the same")
    func mute() throws {
        let box = TestBox(settings: settings([.muted]), planner: try TestVoice.planner())
        box.send(.button(.mute))
        #expect(box.said == ["muted"])
        box.hear()
        box.send(.button(.mute))
        #expect(box.said == ["muted", "unmuted"])
        self.box.send(.button(.mute))
        #expect(self.heard.isEmpty && answers == 1)
        self.box.send(.button(.mute))
        #expect(self.heard == ["♪ tick"])
    }

    @Test("At night the volume goes no higher than the night allows, and every press down is heard")
    func nightVolume() throws {
        // It is 10:11 in the box's zone.
        let night = Speaker.Night(from: 10 * 60, to: 11 * 60, volume: 40)
        let settings = Speaker.Settings(
            topics: Topics(root: "soundbox", box: "b1"), version: "1", night: night, prompts: [.volume])
        let box = TestBox(settings: settings, planner: try TestVoice.planner())
        #expect(box.speaker.indication(at: box.now).isNight)
        box.send(.button(.volume(1)))
        #expect(box.playing?.plan.text == "loudest")
        box.hear()
        #expect(box.speaker.kept.volume == 80)
        box.send(.button(.volume(-1)))
        #expect(box.effects.contains(.setVolume(35)))
        box.advance(milliseconds: 3_600_000)
        box.send(.tick)
        #expect(!box.speaker.indication(at: box.now).isNight)
    }

    // MARK: - Repeat and total

    func pay(_ amounts: String...) {
        for (index, amount) in amounts.enumerated() {
            box.notice(TestBox.payment("p\(index)", amount))
            box.commit()
            box.hear()
        }
        box.commit()
        box.forget()
    }

    @Test("Repeat: the last payment, instead of it the one before, and no further than the first")
    func repetition() {
        pay("0.01", "0.02", "0.03")
        press(.repeatPayment(back: 0))
        #expect(heard == ["paid, three"] && box.speaker.isRepeating)
        for (back, words) in [(1, "paid, two"), (2, "paid, one"), (3, "paid, one"), (9, "paid, one")] {
            box.forget()
            press(.repeatPayment(back: back))
            #expect(box.effects.contains(.stop))
            guard let id = box.playing?.id else { return }
            box.send(.stopped(id))
            #expect(heard == [words] && box.speaker.isRepeating)
        }
        box.hear()
        #expect(!box.speaker.isRepeating)
    }

    @Test("A press that stops cuts a repetition and nothing else")
    func stop() {
        pay("0.01")
        box.notice(TestBox.payment("n1", "0.02"))
        press(.repeatPayment(back: 0))
        #expect(!box.speaker.isRepeating)
        press(.stop)
        #expect(!box.effects.contains(.stop))
        // The repetition waited for the payment.
        box.hear()
        #expect(heard == ["paid, two", "paid, one"] && box.speaker.isRepeating)
        press(.stop)
        #expect(box.effects.contains(.stop))
    }

    @Test("Where there was no payment yet the box says so, or ticks where it is not to be said")
    func nothingYet() throws {
        let box = TestBox(settings: settings([.nothingYet]), planner: try TestVoice.planner())
        box.send(.button(.repeatPayment(back: 0)))
        #expect(box.said == ["nothing"])
        press(.repeatPayment(back: 0))
        #expect(heard == ["♪ tick"])
    }

    @Test("Total: what came in today")
    func total() {
        pay("0.01", "0.02")
        press(.total)
        #expect(heard.count == 1 && heard.first?.hasPrefix("♪") == false)
    }

    // MARK: - Lights

    @Test("What is wrong lights its code, and goes when it is over")
    func causes() {
        func causes() -> Set<ErrorCause> { box.speaker.indication(at: box.now).causes }
        #expect(causes().isEmpty)
        box.send(.cardLost("gone"))
        #expect(causes() == [.card])
        box.send(.cardOpened("back"))
        box.send(.reloaded(.failure(ReloadError("no such pack")), command: nil))
        box.send(.journalFailed("full"))
        #expect(causes() == [.pack, .journal])
        box.notice(TestBox.payment("n1"))
        box.commit()
        #expect(causes() == [.pack])
        box.hear()
        box.notice("nonsense")
        #expect(causes() == [.pack, .rejected])
        box.notice(TestBox.payment("n2"))
        box.hear()
        #expect(causes() == [.pack])
        box.send(.wasHung)
        #expect(causes() == [.pack, .hung])
        box.notice(TestBox.payment("n3"))
        box.hear()
        #expect(causes() == [.pack])
    }

    @Test("A clock that was not set within two minutes lights its code")
    func clock() {
        var now = box.now
        now.wallIsTrusted = false
        #expect(box.speaker.indication(at: now).causes.isEmpty)
        now.monotonic += 120_000_000_000
        #expect(box.speaker.indication(at: now).causes == [.clock])
        now.wallIsTrusted = true
        #expect(box.speaker.indication(at: now).causes.isEmpty)
    }

    @Test("The network: connecting, online, and refused where the broker does not want the box")
    func network() {
        func network() -> Indication.Network { box.speaker.indication(at: box.now).network }
        #expect(network() == .online)
        box.send(.disconnected("gone"))
        #expect(network() == .connecting)
        box.send(.refused("not authorised"))
        #expect(network() == .refused)
        box.send(.connected)
        #expect(network() == .online)
        box.send(.refused("subscription"))
        #expect(network() == .refused)
        box.send(.subscribed)
        #expect(network() == .online)
    }

    @Test("A payment counts when it is said, and on a muted box when it would be; a prompt does not")
    func payments() {
        func indication() -> Indication { box.speaker.indication(at: box.now) }
        box.notice(TestBox.payment("n1"))
        box.notice(TestBox.payment("n2"))
        #expect(indication().payments == 1 && indication().isSpeaking)
        box.hear()
        #expect(indication().payments == 2 && indication().isSpeaking)
        box.hear()
        #expect(!indication().isSpeaking)
        box.command(#"{"id":"c","do":"identify"}"#)
        #expect(indication().payments == 2 && !indication().isSpeaking)
        box.hear()
        press(.mute)
        box.notice(TestBox.payment("n3"))
        #expect(indication().payments == 3 && !indication().isSpeaking)
    }

    @Test("A line that is gone and a button that is stuck are problems in the status until they are over")
    func lines() {
        box.send(.line("led_error", problem: "GPIO9: request: busy"))
        press(.stuck(.repeat))
        #expect(box.statuses.last?["problems"]?["led_error"] == "GPIO9: request: busy")
        #expect(box.statuses.last?["problems"]?["button_repeat"] == "stuck")
        box.send(.line("led_error", problem: nil))
        press(.freed(.repeat))
        #expect(box.statuses.last?["problems"] == .object([]))
        // A panel that is not whole is no cause for the error light.
        #expect(box.speaker.indication(at: box.now).causes.isEmpty)
    }

    // MARK: - Prompts

    func settings(_ prompts: Set<Prompt>) -> Speaker.Settings {
        Speaker.Settings(topics: Topics(root: "soundbox", box: "b1"), version: "1", prompts: prompts)
    }

    @Test("Started and online are said once; offline after half a minute, and then online again")
    func prompts() throws {
        let box = TestBox(settings: settings(Set(Prompt.allCases)), planner: try TestVoice.planner())
        func heard() -> [String] {
            while box.playing != nil { box.hear() }
            defer { box.forget() }
            return box.said
        }
        box.send(.tick)
        #expect(box.playing?.plan.text == "started")
        #expect(heard() == ["online"])
        box.send(.cardLost("gone"))
        box.send(.cardOpened("back"))
        // A flicker is not worth a word.
        box.send(.disconnected("gone"))
        box.advance(milliseconds: 29_999)
        box.send(.disconnected("still gone"))
        box.send(.connected)
        box.advance(milliseconds: 60_000)
        box.send(.tick)
        #expect(heard() == [])
        box.send(.disconnected("gone"))
        box.advance(milliseconds: 29_000)
        box.send(.disconnected("still gone"))
        #expect(box.speaker.deadline <= box.time + 1_000_000_000)
        box.advance(milliseconds: 1000)
        box.send(.tick)
        #expect(heard() == ["offline"])
        box.advance(milliseconds: 100_000)
        box.send(.tick)
        #expect(heard() == [])
        box.send(.connected)
        #expect(heard() == ["online"])
    }

    @Test("A box that never found its broker says so after half a minute")
    func neverOnline() throws {
        let box = TestBox(settings: settings([.offline]), planner: try TestVoice.planner(), isConnected: false)
        box.advance(milliseconds: 30_000)
        box.send(.tick)
        #expect(box.said == ["offline"])
    }
}
