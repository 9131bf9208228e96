/// What the box says of itself unasked, or in answer to its buttons; a shop may not want to hear each of them. The raw
/// value is the configuration's word.
public enum Prompt: String, CaseIterable, Sendable {
    /// It has started.
    case started
    /// It is connected, for the first time or after it said that it was not.
    case online
    /// It has not been connected for half a minute.
    case offline
    /// The volume buttons are at an end.
    case volume
    /// It is muted, or no longer.
    case muted
    /// There is no payment yet that could be repeated.
    case nothingYet = "nothing-yet"
}

/// What the lights and the prompts go by, beyond what the speaker needs for itself.
struct PanelState {
    /// Nanoseconds without a broker until the box says so: not at every flicker.
    static let offlineAfter: UInt64 = 30_000_000_000
    /// Nanoseconds that a clock may take to be set, before its light goes on.
    static let clockPatience: UInt64 = 120_000_000_000

    /// Payments that were said, or would have been if the box were not muted.
    var payments = 0
    /// A notice was rejected since the last one that was heard.
    var wasRejected = false
    /// The watchdog ended the life before, and nothing was heard since.
    var wasHung = false
    /// The announcement that says a payment again; also when another payment came in between.
    var repetition: UInt64?
    var hasStarted = false
    /// Since when there is no broker; nil while there is one.
    var offlineSince: UInt64?
    var saidOffline = false
    var saidOnline = false

    mutating func heard() {
        wasRejected = false
        wasHung = false
    }

    /// When it has to be said that the box is offline.
    var offlineDue: UInt64 {
        guard let offlineSince, !saidOffline else { return .max }
        return offlineSince + PanelState.offlineAfter
    }
}
