import TestSupport
import Testing

@testable import SoundboxCore

@Suite struct PlannerTests {
    private static let pauses: Pauses = {
        var pauses = Pauses()
        pauses.clip = 30
        pauses.end = 300
        pauses.add("，", 120)
        pauses.add("。", 200)
        return pauses
    }()

    /// A plan as text: clips by their words, pauses in milliseconds.
    private func shown(_ plan: ClipPlan, _ pack: VoicePack) -> String {
        plan.steps.map { step in
            switch step {
            case .clip(let clip): pack.clips[clip].words
            case .pause(let pause): String(pause)
            case .tone(let tone): "\(tone)"
            }
        }.joined(separator: " ")
    }

    private func shown(_ text: String, clips: [String]) throws -> String {
        let pack = try TestPack.mandarin(clips: clips)
        return shown(try Planner(pack: pack).plan(.text(text)), pack)
    }

    // MARK: Pauses

    @Test(arguments: [
        ("收款", "收 30 款 300"), ("收，款", "收 120 款 300"), ("收，。款", "收 200 款 300"), ("收。，款", "收 200 款 300"),
        ("，收款。", "收 30 款 300"), ("收 款", "收 30 款 300"), ("收-款", "收 30 款 300"), ("收!款", "收 30 款 300"),
        ("收款收", "收款收 300"), ("收款，收", "收 30 款 120 收 300"),
    ]) func pausesStandWhereTheMarksAre(_ text: String, _ steps: String) throws {
        #expect(try shown(text, clips: ["收款收"]) == steps)
    }

    @Test func aPauseOfNothingIsLeftOut() throws {
        var pauses = Self.pauses
        pauses.clip = 0
        pauses.end = 0
        var list = WordList()
        list.split(Array("一 一，一".utf8), pauses: pauses)
        var cover = Lexicon.Cover()
        var steps: [ClipPlan.Step] = []
        #expect(Lexicon([(Array("一\0".utf8), [])]).cover(list, &cover))
        cover.append(to: &steps, list, pauses)
        #expect(steps == [.clip(0), .clip(0), .pause(120), .clip(0)])
    }

    // MARK: The cover

    @Test(arguments: [
        // Greedy would take 收款百 and then need one clip for each character that is left.
        ("收款百千万", ["收款百", "款百千万"], "收 30 款百千万 300"),
        // Of two covers with two clips, the longer first.
        ("收款百", ["收款", "款百"], "收款 30 百 300"),
        // Anchors.
        ("收元，元", ["元$"], "收 30 元 120 元$ 300"), ("元收", ["^元", "元$"], "^元 30 收 300"),
        ("元", ["^元", "元$"], "元$ 300"), ("元", ["^元$", "元$"], "^元$ 300"), ("收款", ["收款$", "收款"], "收款$ 300"),
        ("收款", ["^款"], "收 30 款 300"),
    ]) func takesTheFewestClips(_ text: String, _ clips: [String], _ steps: String) throws {
        #expect(try shown(text, clips: clips) == steps)
    }

    /// The number of clips, and the clips themselves, of every cover that there is, by trying all of them.
    private func bruteForce(
        _ words: [String], _ pause: [Bool], _ clips: [(words: [String], anchors: Lexicon.Anchors)], from start: Int = 0
    ) -> [[(count: Int, rank: Int)]] {
        if start == words.count { return [[]] }
        var covers: [[(count: Int, rank: Int)]] = []
        for clip in clips {
            let end = start + clip.words.count
            guard end <= words.count, Array(words[start..<end]) == clip.words,
                !pause[(start + 1)..<max(start + 1, end)].contains(true),
                start == 0 || !clip.anchors.contains(.start), end == words.count || !clip.anchors.contains(.end)
            else { continue }
            let rank = clip.anchors == [.start, .end] ? 3 : clip.anchors == .end ? 2 : clip.anchors == .start ? 1 : 0
            for rest in bruteForce(words, pause, clips, from: end) { covers.append([(clip.words.count, rank)] + rest) }
        }
        return covers
    }

    @Test func coversLikeBruteForce() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var uncovered = 0
        for _ in 0..<3_000 {
            let alphabet = ["a", "ab", "b", "c"].prefix(Int.random(in: 1...4, using: &random))
            var seen: Set<String> = []
            var clips: [(words: [String], anchors: Lexicon.Anchors)] = []
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let words = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    alphabet.randomElement(using: &random) ?? ""
                }
                let anchors = Lexicon.Anchors(rawValue: [0, 0, 0, 1, 2, 3].randomElement(using: &random) ?? 0)
                guard seen.insert("\(words) \(anchors.rawValue)").inserted else { continue }
                clips.append((words, anchors))
            }
            let words = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? ""
            }
            let pause = words.map { _ in Int.random(in: 0..<5, using: &random) == 0 }
            var list = WordList()
            list.split(Array(zip(words, pause).map { ($1 ? "，" : " ") + $0 }.joined().utf8), pauses: Self.pauses)
            let lexicon = Lexicon(
                clips.map { clip in (clip.words.flatMap { Array($0.utf8) + [0] }, clip.anchors) })
            var cover = Lexicon.Cover()
            let isCovered = lexicon.cover(list, &cover)
            // Fewest clips; then the longest first; then the anchored one.
            let best = bruteForce(words, pause, clips).min { left, right in
                if left.count != right.count { return left.count < right.count }
                for (a, b) in zip(left, right) where a != b {
                    return a.count != b.count ? a.count > b.count : a.rank > b.rank
                }
                return false
            }
            #expect(isCovered == (best != nil), "seed \(seed)")
            guard let best, isCovered else {
                uncovered += 1
                #expect(lexicon.firstUncovered(list) < words.count, "seed \(seed)")
                continue
            }
            var steps: [ClipPlan.Step] = []
            cover.append(to: &steps, list, Self.pauses)
            let taken = steps.compactMap { step -> Int? in if case .clip(let clip) = step { clip } else { nil } }
            #expect(taken.map { clips[$0].words.count } == best.map(\.count), "seed \(seed)")
            #expect(taken.map { clips[$0].anchors.rawValue } == best.map { [0, 1, 2, 3][$0.rank] }, "seed \(seed)")
        }
        #expect(uncovered > 100, "seed \(seed): nearly everything has a cover")
    }

    // MARK: Phrases

    @Test func aChannelWithoutAPhraseIsSaidWithoutIt() throws {
        let pack = try TestPack.mandarin(phrases: [
            "payment": "收款，{amount}", "payment.alipay": "支付宝到账，{amount}", "refund": "款，{amount}",
            "late": "补播，{time}，{payment}",
        ])
        let planner = Planner(pack: pack)
        let amount = try Amount(parsing: "2.00", currency: .cny)
        func text(_ key: String, _ values: Utterance.Values) throws -> String {
            try planner.plan(.phrase(key, values)).text
        }
        #expect(try text("payment.alipay", .init(amount: amount)) == "支付宝到账，两元")
        #expect(try text("payment.other", .init(amount: amount)) == "收款，两元")
        #expect(try text("refund.other", .init(amount: amount)) == "款，两元")
        #expect(try text("late", .init(amount: amount, time: 605, payment: "payment.other")) == "补播，十点零五分，收款，两元")
        #expect(throws: PlanError.unknownPhrase("order.other")) { try text("order.other", .init()) }
        #expect(throws: PlanError.unknownPhrase("paymentx")) { try text("paymentx", .init(amount: amount)) }
        #expect(throws: PlanError.missingValue(phrase: "payment", placeholder: "amount")) {
            try text("payment", .init())
        }
        for payment in ["late", "repeat.at", nil] {
            #expect(throws: PlanError.missingValue(phrase: "late", placeholder: "payment")) {
                try text("late", .init(amount: amount, time: 0, payment: payment))
            }
        }
        #expect(throws: PlanError.missingValue(phrase: "late", placeholder: "time")) {
            try text("late", .init(amount: amount, time: -1, payment: "payment"))
        }
    }

    @Test(arguments: ["", "12a", "１２", "-1"]) func digitsAreOnlyDigits(_ digits: String) throws {
        let planner = Planner(pack: try TestPack.mandarin(phrases: ["prompt.provisioning": "{digits}"]))
        #expect(throws: PlanError.missingValue(phrase: "prompt.provisioning", placeholder: "digits")) {
            try planner.plan(.phrase("prompt.provisioning", .init(digits: digits)))
        }
    }

    @Test func saysWhyItCannotBeSaid() throws {
        let planner = Planner(pack: try TestPack.mandarin())
        let dollar = try #require(Currency(code: "USD"))
        let cent = try #require(Amount(minorUnits: 1, currency: dollar))
        let yuan = try #require(Amount(minorUnits: 1, currency: .cny))
        #expect(throws: PlanError.noClip(word: "Bitcoin")) { try planner.plan(.text("收款 Bitcoin 到账")) }
        #expect(throws: PlanError.noClip(word: "¥")) { try planner.plan(.text("收款¥一")) }
        #expect(throws: PlanError.nothingToSay) { try planner.plan(.text("，。 ")) }
        #expect(throws: PlanError.unknownStyle("loud")) { try planner.plan(.amount(yuan), style: "loud") }
        #expect(throws: PlanError.unsupportedCurrency("USD", style: "decimal")) {
            try planner.plan(.amount(cent))
        }
    }

    @Test func aWorkspaceHoldsOnePlanAtATime() throws {
        let planner = Planner(pack: try TestPack.mandarin())
        var workspace = Planner.Workspace()
        for text in ["收款到账", "收", "一二三"] {
            try planner.plan(.text(text), in: &workspace)
            let plan = try planner.plan(.text(text))
            #expect(workspace.steps == plan.steps)
            #expect(String(decoding: workspace.text, as: UTF8.self) == plan.text)
        }
    }
}
