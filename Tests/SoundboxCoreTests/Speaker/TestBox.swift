@testable import SoundboxCore

/// A speaker with everything around it played by the test: the journal is a table, time moves by hand.
final class TestBox {
    var speaker: Speaker
    let shelf: TestShelf
    var time: UInt64 = 1_000_000_000
    /// 10:11 in the box's zone, eight hours east of Greenwich.
    var wall: Int64 = 1_700_014_260_000
    var wallIsTrusted = true
    private(set) var effects: [Effect] = []
    private(set) var unanswered: [UInt64] = []

    convenience init(
        settings: Speaker.Settings = TestBox.settings, planner: Planner, unspoken: [NoticeRecord] = [],
        commands: [CommandRecord] = [], kept: Speaker.Kept? = nil, card: Bool = true,
        isConnected: Bool = true
    ) {
        self.init(
            settings: settings, planner: planner, shelf: TestShelf(unspoken, commands: commands, kept: kept),
            card: card,
            isConnected: isConnected)
    }

    init(
        settings: Speaker.Settings = TestBox.settings, planner: Planner, shelf: TestShelf, time: UInt64? = nil,
        wall: Int64? = nil, wallIsTrusted: Bool = true, card: Bool = true, isConnected: Bool = true
    ) {
        self.shelf = shelf
        self.time = time ?? self.time
        self.wall = wall ?? self.wall
        self.wallIsTrusted = wallIsTrusted
        speaker = Speaker(
            settings: settings, planner: planner,
            ports: Speaker.Ports(
                history: { shelf.notice($0) }, signature: TestBox.signature, digest: { "digest of \($0.count)" },
                spokenPayment: { shelf.spokenPayment($0) }, totals: { shelf.totals(since: $0) },
                unspoken: { shelf.unspoken(after: $0, limit: $1) }, localTime: TestBox.localTime),
            kept: shelf.kept, commands: shelf.commands,
            at: Now(
                monotonic: self.time, wall: Timestamp(milliseconds: self.wall), wallIsTrusted: wallIsTrusted))
        if card { send(.cardOpened("test card")) }
        if isConnected { send(.connected) }
        endTurn()
        forget()
    }

    /// What is signed here begins with `good:` or `bad:`.
    static func signature(_ payload: [UInt8]) -> SignatureVerdict {
        if payload.starts(with: "good:".utf8) { return .valid(Array(payload.dropFirst(5))) }
        return payload.starts(with: "bad:".utf8) ? .invalid("wrong key") : .unsigned
    }

    /// Eight hours east of Greenwich, all year.
    static func localTime(_ time: Timestamp) -> LocalTime {
        let day: Int64 = 86_400_000
        let local = time.milliseconds + 8 * 3_600_000
        let inDay = ((local % day) + day) % day
        return LocalTime(
            minutes: Int(inDay / 60_000), midnight: Timestamp(milliseconds: time.milliseconds - inDay))
    }

    static let settings = Speaker.Settings(topics: Topics(root: "soundbox", box: "b1"), version: "1")

    var now: Now { Now(monotonic: time, wall: Timestamp(milliseconds: wall), wallIsTrusted: wallIsTrusted) }

    func advance(milliseconds: Int) {
        time += UInt64(milliseconds) * 1_000_000
        wall += Int64(milliseconds)
    }

    @discardableResult
    func send(_ event: Event) -> [Effect] {
        if case .committed(let ticket, let failure) = event {
            unanswered.removeAll { $0 == ticket }
            if failure == nil { shelf.commit(ticket) }
        }
        return keep(speaker.handle(event, at: now))
    }

    @discardableResult
    func endTurn() -> [Effect] { keep(speaker.endTurn(at: now)) }

    private func keep(_ new: [Effect]) -> [Effect] {
        shelf.take(new)
        for case .commit(let ticket) in new { unanswered.append(ticket) }
        effects += new
        return new
    }

    /// Lets time pass up to where the speaker wants to be asked, and asks it.
    func tick() {
        if speaker.deadline > time { advance(milliseconds: Int((speaker.deadline - time + 999_999) / 1_000_000)) }
        send(.tick)
        endTurn()
    }

    /// One notice that arrives alone in its batch, up to the point where the commit is asked for.
    func notice(_ payload: String, retained: Bool = false, batch: UInt64 = 1) {
        send(.notice(payload: Array(payload.utf8), retained: retained, receivedAt: time))
        send(.batch(batch))
        endTurn()
    }

    func command(_ payload: String, retained: Bool = false) {
        send(.command(payload: Array(payload.utf8), retained: retained))
        send(.batch(1))
        endTurn()
    }

    /// Answers the last commit.
    func commit(failure: String? = nil) {
        guard let ticket = lastCommit else { return }
        send(.committed(ticket, failure: failure))
        endTurn()
    }

    var lastCommit: UInt64? {
        for case .commit(let ticket) in effects.reversed() { return ticket }
        return nil
    }

    /// What the audio engine plays.
    var playing: Announcement? { speaker.current }

    /// Plays what the audio engine has from beginning to end.
    func hear() {
        guard let id = playing?.id else { return }
        send(.began(id, at: time))
        send(.ended(id))
        endTurn()
    }

    /// Forgets what came so far.
    func forget() { effects = [] }

    var published: [Publication] {
        effects.compactMap { effect in
            guard case .publish(let publication) = effect else { return nil }
            return publication
        }
    }

    private func messages(on topic: String) -> [JSON] {
        published.filter { $0.topic == topic }.compactMap { try? JSON(parsing: $0.payload) }
    }

    var receipts: [JSON] { messages(on: "soundbox/b1/receipt") }
    var replies: [JSON] { messages(on: "soundbox/b1/cmd/reply") }
    var statuses: [JSON] { messages(on: "soundbox/b1/status") }

    /// `id state reason` of each receipt.
    var states: [String] {
        receipts.map { receipt in
            [receipt["id"]?.string ?? "null", receipt["state"]?.string ?? "", receipt["reason"]?.string ?? ""]
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    /// What was handed to the audio engine, in words.
    var said: [String] {
        effects.compactMap { effect in
            guard case .play(let announcement, _) = effect else { return nil }
            return announcement.plan.text
        }
    }

    static func payment(_ id: String, _ amount: String = "1.23") -> String {
        #"{"id":"\#(id)","amount":"\#(amount)","currency":"CNY"}"#
    }

    /// A notice that was paid so many seconds ago, with more members in front.
    func paid(_ id: String, _ amount: String, secondsAgo: Int, _ members: String = "") -> String {
        let paidAt = Timestamp(milliseconds: wall - Int64(secondsAgo) * 1000).text
        return #"{\#(members)"id":"\#(id)","amount":"\#(amount)","paidAt":"\#(paidAt)"}"#
    }

    /// Answers every commit that waits for its answer, or so many.
    func commitAll(most: Int = .max) {
        var count = 0
        while count < most, let ticket = unanswered.first {
            count += 1
            send(.committed(ticket, failure: nil))
            endTurn()
        }
    }
}
