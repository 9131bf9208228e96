/// Turns what is to be said into words, and the words into clips.
///
/// Immutable: any thread may use it, each with its own ``Workspace``.
public struct Planner: Sendable {
    /// The voice that speaks.
    public let pack: VoicePack

    /// A planner for one voice.
    public init(pack: VoicePack) {
        self.pack = pack
    }

    /// A plan under construction. Used again and again it stops allocating.
    public struct Workspace: Sendable {
        /// The words of the last plan, UTF-8.
        public internal(set) var text: [UInt8] = []
        /// The sound of the last plan.
        public internal(set) var steps: [ClipPlan.Step] = []
        var words = WordList()
        var cover = Lexicon.Cover()

        /// An empty workspace.
        public init() {}
    }

    /// Plans one announcement.
    ///
    /// - Parameter style: the amount style; nil for the pack's own.
    public func plan(_ utterance: Utterance, style: String? = nil) throws(PlanError) -> ClipPlan {
        var workspace = Workspace()
        try plan(utterance, style: style, in: &workspace)
        return ClipPlan(text: String(decoding: workspace.text, as: UTF8.self), steps: workspace.steps)
    }

    /// Plans one announcement into a workspace, in place of what was in it; after an error it holds neither plan.
    public func plan(
        _ utterance: Utterance, style: String? = nil, in workspace: inout Workspace
    ) throws(PlanError) {
        workspace.text.removeAll(keepingCapacity: true)
        workspace.steps.removeAll(keepingCapacity: true)
        let style = style ?? pack.defaultStyle
        switch utterance {
        case .phrase(let key, let values): try append(phrase: key, values, style, &workspace.text)
        case .amount(let amount): try append(amount, style, &workspace.text)
        case .text(let text): workspace.text += text.utf8
        }
        workspace.words.split(workspace.text, pauses: pack.pauses)
        guard !workspace.words.words.isEmpty else { throw .nothingToSay }
        guard pack.lexicon.cover(workspace.words, &workspace.cover) else {
            throw .noClip(word: workspace.words.text(of: pack.lexicon.firstUncovered(workspace.words)))
        }
        workspace.cover.append(to: &workspace.steps, workspace.words, pack.pauses)
    }
}

// MARK: - Words

extension Planner {
    private func append(
        phrase key: String, _ values: Utterance.Values, _ style: String, _ text: inout [UInt8]
    ) throws(PlanError) {
        guard let phrase = pack.phrases[key] ?? Phrase.family(of: key).flatMap({ pack.phrases[$0] }) else {
            throw .unknownPhrase(key)
        }
        for piece in phrase.pieces {
            switch piece {
            case .text(let bytes): text += bytes
            case .placeholder(let placeholder): try append(placeholder, of: key, values, style, &text)
            }
        }
    }

    private func append(
        _ placeholder: Placeholder, of key: String, _ values: Utterance.Values, _ style: String, _ text: inout [UInt8]
    ) throws(PlanError) {
        let missing = PlanError.missingValue(phrase: key, placeholder: placeholder.rawValue)
        switch placeholder {
        case .amount:
            guard let amount = values.amount else { throw missing }
            try append(amount, style, &text)
        case .time: try append(values.time, pack.numbers.time, &text, missing)
        case .count: try append(values.count, pack.numbers.count, &text, missing)
        case .volume: try append(values.volume, pack.numbers.volume, &text, missing)
        case .digits:
            guard let digits = values.digits, !digits.isEmpty else { throw missing }
            for (index, digit) in digits.utf8.enumerated() {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { throw missing }
                if index > 0 { text.append(UInt8(ascii: " ")) }
                try append(DecimalNumber(UInt64(digit - UInt8(ascii: "0"))), pack.numbers.digits, &text)
            }
        case .payment:
            // What is wrapped wraps nothing itself, so this ends.
            guard let payment = values.payment, !Phrase.placeholders(of: payment).contains(.payment) else {
                throw missing
            }
            try append(phrase: payment, values, style, &text)
        }
    }

    private func append(
        _ value: Int?, _ ruleSet: NumberGrammar.RuleSetID, _ text: inout [UInt8], _ missing: PlanError
    ) throws(PlanError) {
        guard let value, value >= 0 else { throw missing }
        try append(DecimalNumber(UInt64(value)), ruleSet, &text)
    }

    private func append(_ amount: Amount, _ style: String, _ text: inout [UInt8]) throws(PlanError) {
        guard let rules = pack.styles[style] else { throw .unknownStyle(style) }
        guard let ruleSet = rules.ruleSets[amount.currency.code] else {
            throw .unsupportedCurrency(amount.currency.code, style: style)
        }
        let decimals = rules.unit == .major ? amount.currency.decimals : 0
        guard let number = DecimalNumber(units: amount.minorUnits, decimals: decimals) else {
            throw .unsupportedCurrency(amount.currency.code, style: style)
        }
        try append(number, ruleSet, &text)
    }

    private func append(
        _ number: DecimalNumber, _ ruleSet: NumberGrammar.RuleSetID, _ text: inout [UInt8]
    ) throws(PlanError) {
        do {
            try pack.grammar.append(number, by: ruleSet, to: &text)
        } catch {
            throw .unreadable(error)
        }
    }
}
