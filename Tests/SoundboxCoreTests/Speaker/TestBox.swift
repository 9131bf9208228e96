@testable import SoundboxCore

/// A speaker with everything around it played by the test: the journal is a dictionary, time moves by hand.
final class TestBox {
    private final class Shelf {
        var notices = TableByText<NoticeRecord>()
    }

    var speaker: Speaker
    private let shelf: Shelf
    var time: UInt64 = 1_000_000_000
    var wall: Int64 = 1_700_000_000_000
    private(set) var effects: [Effect] = []

    init(
        settings: Speaker.Settings = TestBox.settings, planner: Planner, unspoken: [NoticeRecord] = [],
        commands: [CommandRecord] = [], card: Bool = true, isConnected: Bool = true
    ) {
        let shelf = Shelf()
        for record in unspoken { shelf.notices[record.id] = record }
        self.shelf = shelf
        speaker = Speaker(
            settings: settings, planner: planner,
            ports: Speaker.Ports(
                history: { shelf.notices[$0] }, digest: { "digest of \($0.count)" }, spokenPayment: { _ in nil },
                totals: { _ in [] }),
            unspoken: unspoken, commands: commands,
            at: Now(monotonic: time, wall: Timestamp(milliseconds: wall), wallIsTrusted: true))
        if card { send(.cardOpened("test card")) }
        if isConnected { send(.connected) }
        endTurn()
        forget()
    }

    static let settings = Speaker.Settings(topics: Topics(root: "soundbox", box: "b1"), version: "1")

    var now: Now { Now(monotonic: time, wall: Timestamp(milliseconds: wall), wallIsTrusted: true) }

    func advance(milliseconds: Int) {
        time += UInt64(milliseconds) * 1_000_000
        wall += Int64(milliseconds)
    }

    @discardableResult
    func send(_ event: Event) -> [Effect] { keep(speaker.handle(event, at: now)) }

    @discardableResult
    func endTurn() -> [Effect] { keep(speaker.endTurn(at: now)) }

    private func keep(_ new: [Effect]) -> [Effect] {
        for case .record(let record) in new { shelf.notices[record.id] = record }
        effects += new
        return new
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
}
