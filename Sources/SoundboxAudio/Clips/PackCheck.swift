import SoundboxCore
import SoundboxPlatform

/// Whether a voice pack is fit to be shipped: its words by a proof, its sound by measurement.
///
/// The limits are in ``PackLimits``. Any thread; takes a second or two.
public struct PackCheck: Sendable {
    /// How bad a finding is.
    public enum Level: String, Sendable, Comparable {
        /// As it should be.
        case ok
        /// Worth a look; the pack can be shipped.
        case warning
        /// The pack must not be shipped.
        case error

        private var rank: Int {
            switch self {
            case .ok: 0
            case .warning: 1
            case .error: 2
            }
        }

        /// Better is less.
        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
    }

    /// One thing that was looked at.
    public struct Finding: Sendable {
        /// How bad it is.
        public var level: Level
        /// What was looked at, a short name that stays the same: `coverage`, `true-peak`.
        public var check: String
        /// The file that it is about, in the pack's folder.
        public var file: String
        /// What was measured, in ``unit``; nil where there is no number.
        public var value: Double?
        /// The limit that it was held against.
        public var limit: Double?
        /// The unit of both; empty for a count.
        public var unit = ""
        /// What it means, for a person.
        public var text: String
    }

    /// The pack; nil where it cannot be read.
    public private(set) var pack: VoicePack?
    /// What was found, in the order of the checks.
    public private(set) var findings: [Finding] = []

    /// The worst of the findings.
    public var level: Level { findings.map(\.level).max() ?? .ok }

    /// Checks the pack in a folder.
    public init(folder: String) {
        do {
            let pack = try VoicePack(
                manifest: File.read("\(folder)/pack.json"), grammar: File.read("\(folder)/grammar.rbnf"))
            self.pack = pack
            checkLicence(pack)
            checkWords(pack)
            checkFiles(pack, folder)
            let measurements = measure(pack, folder)
            checkClips(measurements)
            // A bank takes the files as they must be; what is wrong with them has been said.
            if let bank = try? ClipBank(
                folder: "\(folder)/clips", files: pack.clips.map(\.file), sourceRate: pack.rate, rate: pack.rate)
            {
                checkSentences(pack, bank)
            }
        } catch let error as PackError {
            add(.error, "pack", error.file.rawValue, "\(error.place): \(error.why)")
        } catch {
            add(.error, "pack", folder, "\(error)")
        }
    }

    mutating func add(_ finding: Finding) {
        findings.append(finding)
    }

    mutating func add(
        _ level: Level, _ check: String, _ file: String, _ text: String, value: Double? = nil, limit: Double? = nil,
        unit: String = ""
    ) {
        add(Finding(level: level, check: check, file: file, value: value, limit: limit, unit: unit, text: text))
    }

    /// Holds measured values against limits: each that is above one is a finding, and where there is none the highest is
    /// shown to be well.
    ///
    /// - Parameter magnitude: whether values below zero are as bad as those above.
    mutating func hold(
        _ check: String, _ values: [(file: String, value: Double)], magnitude: Bool = false, warning: Double? = nil,
        error: Double, unit: String, digits: Int = 1, _ what: String
    ) {
        // What is judged is what is shown: no "-1.00, at most -1.00".
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        func size(_ value: Double) -> Double { ((magnitude ? abs(value) : value) * scale).rounded() / scale }
        var isClean = true
        func finding(_ level: Level, _ item: (file: String, value: Double), _ limit: Double) -> Finding {
            Finding(
                level: level, check: check, file: item.file, value: item.value, limit: limit, unit: unit,
                text: "\(what) \(item.value.text(digits)) \(unit), at most \(magnitude ? "±" : "")\(limit.text(digits))"
            )
        }
        for item in values where size(item.value) > warning ?? error {
            isClean = false
            let level: Level = size(item.value) > error ? .error : .warning
            add(finding(level, item, level == .error ? error : warning ?? error))
        }
        if isClean, let worst = values.max(by: { size($0.value) < size($1.value) }) {
            add(finding(.ok, worst, warning ?? error))
        }
    }
}

// MARK: - Words and files

extension PackCheck {
    private mutating func checkLicence(_ pack: VoicePack) {
        let isGood = Licence.isExpression(pack.licence)
        add(
            isGood ? .ok : .error, "licence", "pack.json",
            isGood ? pack.licence : "\"\(pack.licence)\" is not an SPDX expression, or grants nothing")
    }

    private mutating func checkWords(_ pack: VoicePack) {
        let coverage = PackCoverage(of: pack)
        for gap in coverage.gaps {
            add(.error, "coverage", "pack.json", "no clip says \"\(gap.word)\" in \"\(gap.text)\" (\(gap.phrase))")
        }
        for problem in coverage.unreadable { add(.error, "coverage", "grammar.rbnf", problem) }
        if coverage.gaps.isEmpty, coverage.unreadable.isEmpty {
            add(.ok, "coverage", "pack.json", "every text of the phrases and the grammar has its clips")
        }
        for limit in coverage.limits {
            guard let refused = limit.refusedFrom else { continue }
            let isGood = refused >= PackLimits.amounts
            add(
                isGood ? .ok : .error, "amounts", "grammar.rbnf",
                "\(limit.currency) (\(limit.style)) is read below \(refused) minor units", value: Double(refused),
                limit: Double(PackLimits.amounts))
        }
        for clip in coverage.unusedClips {
            add(
                .warning, "unused", "clips/\(pack.clips[clip].file)",
                "no text has \"\(pack.clips[clip].words)\" where it may stand")
        }
        if coverage.unusedClips.isEmpty { add(.ok, "unused", "clips", "every clip fits some text", value: 0) }
    }

    private mutating func checkFiles(_ pack: VoicePack, _ folder: String) {
        let used = Set(pack.clips.map(\.file))
        let stray = ((try? File.names(in: "\(folder)/clips", suffix: "")) ?? []).filter { !used.contains($0) }
        for file in stray { add(.warning, "files", "clips/\(file)", "pack.json does not name it") }
        var size = 0
        for file in ["pack.json", "grammar.rbnf"] + Set(used.map { "clips/\($0)" }).union(stray.map { "clips/\($0)" }) {
            size += (try? File.size(of: "\(folder)/\(file)")) ?? 0
        }
        hold("size", [(".", Double(size))], error: Double(PackLimits.size), unit: "bytes", digits: 0, "all files have")
    }
}

/// SPDX licence expressions, as far as a pack has to have one.
enum Licence {
    /// Whether this has the form of one, `CC-BY-4.0 OR (Apache-2.0 WITH LLVM-exception)`, and is not one of the two words for
    /// "none".
    static func isExpression(_ text: String) -> Bool {
        var depth = 0
        var expectsName = true
        for token in tokens(text) {
            switch token {
            case "(" where expectsName: depth += 1
            case ")" where !expectsName && depth > 0: depth -= 1
            case "AND", "OR", "WITH":
                guard !expectsName else { return false }
                expectsName = true
            case _ where expectsName && isName(token): expectsName = false
            default: return false
            }
        }
        return !expectsName && depth == 0
    }

    private static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        for part in text.split(separator: " ") {
            var word = ""
            for character in part {
                guard character == "(" || character == ")" else {
                    word.append(character)
                    continue
                }
                if !word.isEmpty { tokens.append(word) }
                tokens.append(String(character))
                word = ""
            }
            if !word.isEmpty { tokens.append(word) }
        }
        return tokens
    }

    private static func isName(_ token: String) -> Bool {
        token != "NONE" && token != "NOASSERTION"
            && token.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "+", ":": true
                default: false
                }
            }
    }
}

extension Double {
    /// With so many decimals, as people write it.
    func text(_ digits: Int) -> String {
        guard isFinite else { return self < 0 ? "-∞" : "∞" }
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = (self * Double(scale)).rounded()
        guard abs(scaled) < 1e15 else { return "\(self)" }
        let units = Int(abs(scaled))
        let sign = scaled < 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(units)" }
        let fraction = String(units % scale)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(sign)\(units / scale).\(zeros)\(fraction)"
    }
}
