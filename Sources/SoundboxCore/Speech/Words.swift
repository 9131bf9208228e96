/// What a character is to the planner; `docs/voice-pack.md`, "Words, marks and clips".
enum CharacterKind {
    /// Part of a word that goes on to the next separator.
    case letter
    /// A word of its own: a Han character, and a symbol such as ¥, which somebody would have to record.
    case word
    /// Ends a word and is not heard.
    case separator
    /// Ends a word and is heard as a pause.
    case mark

    init(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "'", "\u{2019}": self = .letter
        case "\u{4E00}"..."\u{9FFF}": self = .word
        case "\0"..." ", "-", "\u{2010}", "\u{2011}": self = .separator
        // Joiners are spelling in the scripts of India and Iran.
        case "\u{200C}", "\u{200D}": self = .letter
        default: self.init(category: scalar.properties)
        }
    }

    private init(category properties: Unicode.Scalar.Properties) {
        switch properties.generalCategory {
        case _ where properties.isIdeographic: self = .word
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            self = .letter
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            self = .mark
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: self = .word
        default: self = .separator
        }
    }
}

/// The pauses of a voice pack, in milliseconds.
struct Pauses: Sendable {
    /// Between two clips without a mark between them.
    var clip = 0
    /// After the last clip.
    var end = 0
    private(set) var marks: [(mark: Unicode.Scalar, pause: Int)] = []

    mutating func add(_ mark: Unicode.Scalar, _ pause: Int) {
        marks.append((mark, pause))
    }

    /// The pause of a mark; nil for one that the pack does not list.
    func pause(of mark: Unicode.Scalar) -> Int? {
        for entry in marks where entry.mark == mark { return entry.pause }
        return nil
    }
}

/// A text in words, each followed by a zero byte, so that a run of words is a run of bytes that no other words have.
struct WordList {
    struct Word {
        /// Where its bytes start.
        var start: Int
        /// The longest pause of the marks in front of the word; nil where there is no mark.
        var pause: Int?
    }

    private(set) var bytes: [UInt8] = []
    private(set) var words: [Word] = []

    /// Splits UTF-8 text in place of what was here before; a mark without a pause of its own has that between clips.
    mutating func split(_ text: [UInt8], pauses: Pauses) {
        bytes.removeAll(keepingCapacity: true)
        words.removeAll(keepingCapacity: true)
        var at = 0
        var isInWord = false
        var pause: Int?
        while at < text.count {
            let scalar = WordList.scalar(text, at: at)
            let length = UTF8.width(scalar)
            let kind = CharacterKind(scalar)
            if isInWord, kind != .letter {
                bytes.append(0)
                isInWord = false
            }
            switch kind {
            case .letter, .word:
                if !isInWord {
                    words.append(Word(start: bytes.count, pause: pause))
                    pause = nil
                }
                for index in at..<min(at + length, text.count) { bytes.append(text[index]) }
                isInWord = kind == .letter
                if kind == .word { bytes.append(0) }
            case .separator: break
            case .mark: pause = max(pause ?? 0, pauses.pause(of: scalar) ?? pauses.clip)
            }
            at += length
        }
        if isInWord { bytes.append(0) }
    }

    /// The word as text.
    func text(of word: Int) -> String {
        String(decoding: bytes[words[word].start...].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The marks of a text that have no pause of their own.
    static func marks(in text: some StringProtocol, without pauses: Pauses) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { CharacterKind($0) == .mark && pauses.pause(of: $0) == nil }
    }

    /// Decodes one character of valid UTF-8.
    private static func scalar(_ text: [UInt8], at start: Int) -> Unicode.Scalar {
        let first = text[start]
        if first < 0x80 { return Unicode.Scalar(first) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for index in start + 1..<min(start + length, text.count) {
            value = value << 6 | UInt32(text[index] & 0x3F)
        }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
