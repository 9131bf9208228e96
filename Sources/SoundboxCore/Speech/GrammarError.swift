/// Why a grammar cannot be read, and where.
public struct GrammarError: Error, Equatable, Sendable {
    /// The line, counted from 1.
    public var line: Int
    /// The rule or the name that is wrong, as it was written.
    public var text: String
    /// What is wrong, in a few words.
    public var why: String
}
