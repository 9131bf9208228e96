import Foundation
import TestSupport
import Testing

@testable import SoundboxCore

@Suite struct PackCoverageTests {
    // MARK: The graph

    /// Every text of a node.
    private static func texts(of node: Int32, in graph: SpeechGraph) -> Set<String> {
        var all: Set<String> = []
        for symbols in graph.nodes[Int(node)].alternatives {
            var texts: Set<String> = [""]
            for symbol in symbols {
                let next: Set<String> =
                    switch symbol {
                    case .text(let index): [String(decoding: graph.texts[Int(index)], as: UTF8.self)]
                    case .node(let index): self.texts(of: index, in: graph)
                    }
                texts = Set(texts.flatMap { head in next.map { head + $0 } })
            }
            all.formUnion(texts)
        }
        return all
    }

    /// A grammar of everything that cuts ranges: rollback, other divisors, `>>>`, plurals, digits that refuse.
    private static let hostile = """
        %n:
        0: a; b; c; d; e; f; g; h; i; j;
        10: <<t[ >>];
        60/60: <<m[ >>];
        120>: <<k >>>;
        200: <<c[ >>];
        1000: <<$(cardinal,one{o}few{w}other{x})$[ >>];
        4000: =%%p=;
        5000: =#,##0=;
        x.x: << y >>;
        0.x: z>>>;
        %%p:
        0: <%n</>%n>;
        100: <%n<|>>;
        """

    @Test(arguments: ["zh", "en", "hostile"]) func saysWhatTheGrammarSays(_ name: String) throws {
        let plurals = try PluralRules([("one", "n = 1"), ("few", "n % 10 = 2..4 and n % 100 != 12..14")])
        let (grammar, sets): (NumberGrammar, [String]) =
            switch name {
            case "zh": (try TestPack.mandarin().grammar, ["%cardinal", "%yuan", "%jiaofen", "%count"])
            case "en": (try TestPack.english().grammar, ["%cardinal", "%yuan-fen", "%dinars-fils", "%count"])
            default: (try NumberGrammar(parsing: Array(Self.hostile.utf8), plurals: plurals), ["%n"])
            }
        var generator = SeededGenerator()
        for round in 0..<24 {
            let set = try #require(grammar.ruleSet(named: sets[round % sets.count]))
            let low = UInt64.random(in: 0...(round % 2 == 0 ? 5_500 : 30_000_000), using: &generator)
            let range = low...low + .random(in: 0...2_000, using: &generator)
            var expected: Set<String> = []
            for number in range {
                let text = try grammar.text(of: DecimalNumber(number), by: set)
                // Digits are what the graph leaves out: refused on purpose.
                if !text.contains(where: { $0.isASCII && $0.isNumber }) { expected.insert(text) }
            }
            var graph = SpeechGraph(grammar: grammar)
            let node = graph.node(set, .whole(range))
            let difference = Self.texts(of: node, in: graph).symmetricDifference(expected)
            #expect(difference.isEmpty, "\(difference.first ?? "") in \(range), seed \(generator.seed)")
            #expect(graph.problems.isEmpty)
            let refused = try range.first {
                try grammar.text(of: DecimalNumber($0), by: set).contains(where: { $0.isASCII && $0.isNumber })
            }
            #expect(graph.nodes[Int(node)].refusedFrom == refused, "\(range), seed \(generator.seed)")
        }
    }

    @Test(arguments: ["%yuan", "%cardinal", "%n"]) func saysFractions(_ name: String) throws {
        let grammar =
            try name == "%n"
            ? NumberGrammar(
                parsing: Array(
                    """
                    %n:
                    0: a; b; c; d; e; f; g; h; i; j;
                    10: =#,##0=;
                    x.x: << y >>;
                    0.x: z>>>;
                    """.utf8)) : TestPack.mandarin().grammar
        let set = try #require(grammar.ruleSet(named: name))
        var graph = SpeechGraph(grammar: grammar)
        let node = graph.node(set, .decimal(whole: 0...9, digits: 3))
        let numbers = (0..<10_000).compactMap { DecimalNumber(units: $0, decimals: 3) }.filter { $0.fractionDigits > 0 }
        let expected = Set(try numbers.map { try grammar.text(of: $0, by: set) })
        #expect(Self.texts(of: node, in: graph) == expected)
    }

    @Test func noCategoryIsLeftOut() throws {
        let rules = try PluralRules([
            ("one", "i = 1 and v = 0"), ("two", "n % 100 = 2,22 or n = 77 and n % 10 != 3"), ("few", "i = 5000..6000"),
            ("many", "i != 0 and i % 1000 = 0"),
        ])
        var generator = SeededGenerator()
        for _ in 0..<40 {
            let low = UInt64.random(in: 0...9_000, using: &generator)
            let range = low...low + .random(in: 0...3_000, using: &generator)
            let parts = rules.categories(of: range)
            #expect(parts.first?.numbers.lowerBound == low && parts.last?.numbers.upperBound == range.upperBound)
            for (numbers, categories) in parts {
                #expect(
                    numbers.allSatisfy { categories.contains(rules.category(of: DecimalNumber($0))) },
                    "\(numbers) of \(range), seed \(generator.seed)")
            }
            for (part, next) in zip(parts, parts.dropFirst()) {
                #expect(part.numbers.upperBound + 1 == next.numbers.lowerBound)
            }
        }
        // What depends on no last digits is exact.
        let english = try PluralRules([("one", "i = 1 and v = 0")]).categories(of: 0...1_000_000)
        #expect(english.map(\.categories) == [[.other], [.one], [.other]])
    }

    @Test func findsNumbersWithoutARule() throws {
        let cases: [(grammar: String, problem: String)] = [
            ("%n:\n3: a;\n", "the rule set %n has no rule for 0–2"),
            ("%n:\n0: =%m=;\n%m:\n0: =%n=;\n", "the grammar's rules do not come to an end"),
            ("%n:\n0: a;\n10: <%m<;\n%m:\n5: a;\n", "the rule set %m has no rule for 1–4"),
        ]
        for (text, problem) in cases {
            let grammar = try NumberGrammar(parsing: Array(text.utf8))
            var graph = SpeechGraph(grammar: grammar)
            _ = graph.node(try #require(grammar.ruleSet(named: "%n")), .whole(0...99))
            #expect(graph.problems == [problem])
        }
        let grammar = try NumberGrammar(parsing: Array("%n:\n0: a;\n".utf8))
        var graph = SpeechGraph(grammar: grammar)
        _ = graph.node(try #require(grammar.ruleSet(named: "%n")), .decimal(whole: 0...9, digits: 2))
        #expect(graph.problems == ["the rule set %n has no rule for numbers with a fraction"])
    }

    // MARK: The walk

    /// Random clips over few words against the planner's own cover of each text.
    @Test func agreesWithThePlanner() throws {
        var generator = SeededGenerator()
        let words = ["a", "b", "c"]
        var pauses = Pauses()
        pauses.add(",", 100)
        let grammar = try NumberGrammar(parsing: Array("%n:\n0: a; b; c;\n3/3: << >>;\n9/3: <<, >>;\n".utf8))
        let set = try #require(grammar.ruleSet(named: "%n"))
        var verdicts = (covered: 0, uncovered: 0)
        // Until there was enough of both kinds, which random clips do not promise in any number of rounds.
        while verdicts.covered + verdicts.uncovered < 400 || min(verdicts.covered, verdicts.uncovered) < 20 {
            var graph = SpeechGraph(grammar: grammar)
            let low = UInt64.random(in: 0...60, using: &generator)
            let node = graph.node(set, .whole(low...low + 20))
            var places: [[UInt8]: Set<Lexicon.Anchors>] = [:]
            for _ in 0..<Int.random(in: 6...24, using: &generator) {
                let count = [1, 1, 2, 2, 3].randomElement(using: &generator) ?? 1
                var run: [UInt8] = []
                for _ in 0..<count { run += Array((words.randomElement(using: &generator) ?? "").utf8) + [0] }
                places[run, default: []].insert(Lexicon.Anchors(rawValue: .random(in: 0...3, using: &generator)))
            }
            let clips = places.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { run, anchors in
                anchors.sorted { $0.rawValue < $1.rawValue }.map { (words: run, anchors: $0) }
            }
            let lexicon = Lexicon(clips)
            var walk = CoverWalk(graph, lexicon: lexicon, clips: clips.count)
            let uncovered = walk.uncoveredText(of: node).map { String(decoding: $0, as: UTF8.self) }
            var isCovered = true
            var chosen: Set<Int> = []
            for text in Self.texts(of: node, in: graph) {
                var list = WordList()
                list.split(Array(text.utf8), pauses: pauses)
                var cover = Lexicon.Cover()
                let succeeds = lexicon.cover(list, &cover)
                isCovered = isCovered && succeeds
                if text == uncovered { #expect(!succeeds, "\(text), seed \(generator.seed)") }
                var steps: [ClipPlan.Step] = []
                if succeeds { cover.append(to: &steps, list, pauses) }
                for case .clip(let clip) in steps { chosen.insert(clip) }
            }
            #expect((uncovered == nil) == isCovered, "seed \(generator.seed)")
            #expect(chosen.allSatisfy { walk.fits[$0] }, "seed \(generator.seed)")
            if isCovered { verdicts.covered += 1 } else { verdicts.uncovered += 1 }
        }
    }

    // MARK: Whole packs

    @Test func theProductsGrammarsAreCovered() throws {
        for pack in [try TestPack.mandarin(), try TestPack.english()] {
            let coverage = PackCoverage(of: pack)
            #expect(coverage.gaps.isEmpty && coverage.unreadable.isEmpty, "\(coverage)")
        }
        let limits = PackCoverage(of: try TestPack.mandarin()).limits
        #expect(
            limits == [
                .init(style: "decimal", currency: "CNY", refusedFrom: 100_000_000_000_000),
                .init(style: "jiaofen", currency: "CNY", refusedFrom: 100_000_000_000_000),
            ])
        let english = PackCoverage(of: try TestPack.english())
        #expect(english.limits.allSatisfy { $0.refusedFrom == nil })
    }

    @Test func theShippedPacksAreCovered() throws {
        var clips = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { clips.deleteLastPathComponent() }
        clips.appendPathComponent("Resources/Clips")
        let packs = try FileManager.default.contentsOfDirectory(atPath: clips.path).filter {
            FileManager.default.fileExists(atPath: clips.appendingPathComponent("\($0)/pack.json").path)
        }
        #expect(packs.contains("zh-CN"))
        for pack in packs {
            let coverage = PackCoverage(
                of: try VoicePack(
                    manifest: TestPack.file("Resources/Clips/\(pack)/pack.json"),
                    grammar: TestPack.file("Resources/Clips/\(pack)/grammar.rbnf")))
            #expect(coverage.gaps.isEmpty && coverage.unreadable.isEmpty, "\(pack): \(coverage.gaps.prefix(5))")
        }
    }

    /// A pack with some of the words taken away and others put in their place.
    private static func pack(without words: [String], with clips: [String] = []) throws -> VoicePack {
        let manifest = TestPack.mandarinManifest(
            phrases: ["payment": "收款，{amount}", "late": "补播，{time}，{payment}", "prompt.provisioning": "码{digits}"],
            clips: clips)
        let members = try #require(manifest.members).map { member -> JSON.Member in
            guard member.key == "clips", let old = member.value.members else { return member }
            return .init("clips", .object(old.filter { !words.contains($0.key) }))
        }
        return try VoicePack(
            manifest: Array(JSON.object(members).text.utf8),
            grammar: TestPack.file("Resources/Clips/zh-CN/grammar.rbnf"))
    }

    @Test func findsEveryMissingWordWithAText() throws {
        let coverage = PackCoverage(of: try Self.pack(without: ["万", "分", "整"]))
        #expect(Set(coverage.gaps.map(\.word)) == ["万", "分", "整"])
        for gap in coverage.gaps { #expect(gap.text.contains(gap.word)) }
    }

    @Test(
        "Longer and anchored clips stand for a word where they are everywhere, and nowhere else",
        arguments: [
            (["元"], ["元$"], ["元"]),  // 一百元六角
            (["分"], ["分$"], ["分"]),  // 补播，两点零五分，…
            (["整"], ["点整"], []),
            (["整"], ["两点整", "一点整"], ["整"]),  // 三点整 is not there
            (["万"], ["一万", "两万"], ["万"]),
            (["补"], ["补播"], []), (["补"], ["^补"], []), (["补"], ["补$"], ["补"]),
            (["角"], ["^角"], ["角"]),
        ])
    func contextsCount(without: [String], with: [String], gaps: [String]) throws {
        let pack = try Self.pack(without: without, with: with)
        let coverage = PackCoverage(of: pack)
        #expect(coverage.gaps.map(\.word) == gaps, "\(coverage.gaps)")
    }

    @Test func findsClipsThatNothingUses() throws {
        let pack = try Self.pack(without: [], with: ["猫", "十百", "^元", "元$", "百$", "三百", "零十", "点二十"])
        let coverage = PackCoverage(of: pack)
        let unused = Set(coverage.unusedClips.map { pack.clips[$0].words })
        // Those of TestPack that the phrases here do not say are unused too.
        #expect(unused.isSuperset(of: ["猫", "十百", "^元", "百$", "零十", "支", "宝"]))
        #expect(unused.isDisjoint(with: ["元$", "元", "三百", "点二十", "一", "收"]))
    }
}
