/// Why something cannot be said with a voice pack. A payment is then announced by `payment.generic`.
public enum PlanError: Error, Equatable, Sendable {
    /// The pack has no phrase with this key.
    case unknownPhrase(String)
    /// The phrase needs a value that was not given, or that is not what it must be.
    case missingValue(phrase: String, placeholder: String)
    /// The pack has no amount style with this name.
    case unknownStyle(String)
    /// The amount style does not read this currency.
    case unsupportedCurrency(String, style: String)
    /// The grammar does not read the number.
    case unreadable(NumberGrammar.ReadError)
    /// No clip says this word where it stands.
    case noClip(word: String)
    /// There are no words to say.
    case nothingToSay

    /// The machine-readable reason of a receipt.
    public var reason: String {
        switch self {
        case .unknownPhrase: "phrase-unknown"
        case .missingValue: "value-missing"
        case .unknownStyle: "style-unknown"
        case .unsupportedCurrency: "currency-unsupported"
        case .unreadable: "number-unreadable"
        case .noClip: "clip-missing"
        case .nothingToSay: "nothing-to-say"
        }
    }
}

extension PlanError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .unknownPhrase(let key): "the voice pack has no phrase \"\(key)\""
        case .missingValue(let phrase, let placeholder): "the phrase \"\(phrase)\" has no value for {\(placeholder)}"
        case .unknownStyle(let style): "the voice pack has no amount style \"\(style)\""
        case .unsupportedCurrency(let code, let style): "the amount style \"\(style)\" does not read \(code)"
        case .unreadable(.noRule(let ruleSet)): "the grammar's rule set \(ruleSet) has no rule for the number"
        case .unreadable(.endless): "the grammar's rules do not come to an end"
        case .noClip(let word): "no clip says \"\(word)\""
        case .nothingToSay: "there is nothing to say"
        }
    }
}
