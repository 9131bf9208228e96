/// Walks every text of a ``SpeechGraph`` through the clips, all covers of it at once.
///
/// A state is the set of places in the trie of clips where some cover of the words so far may be: what of the past matters
/// to the words to come. There are few of them, since clips are short, so a node of the graph need only be walked once
/// from each state that reaches it, and billions of amounts take some thousand steps. A state without a place is a
/// text that no clips cover; nothing is approximated here.
struct CoverWalk {
    /// What a node makes of a state, and one way to it.
    private struct Exit {
        var state: Int32
        var alternative: Int
        /// The states behind each symbol of the alternative.
        var path: [Int32]
    }

    private enum Phase: Hashable {
        /// In front of the first word, in a word, behind one, behind one and a mark.
        case start, word, gap, mark
    }

    private struct State: Hashable {
        var phase: Phase
        /// Nodes of the trie times two, and one more where the clip began at the start of the announcement; sorted.
        var places: [Int32]
    }

    private struct Step: Hashable {
        var index: Int32
        var state: Int32
    }

    /// For each clip, whether it fits somewhere in a text: its words occur where it may stand.
    private(set) var fits: [Bool]
    private let graph: SpeechGraph
    private let lexicon: Lexicon
    private var states = [State(phase: .start, places: [])]
    private var ids: [State: Int32] = [:]
    private var textSteps: [Step: Int32] = [:]
    private var nodeSteps: [Step: [Exit]] = [:]

    init(_ graph: SpeechGraph, lexicon: Lexicon, clips: Int) {
        self.graph = graph
        self.lexicon = lexicon
        fits = Array(repeating: false, count: clips)
        ids[states[0]] = 0
    }

    /// A text of this node that the clips do not cover, or that has no words; nil where there is none.
    mutating func uncoveredText(of node: Int32) -> [UInt8]? {
        // All exits are looked at even behind a bad one, for the clips that they use.
        var bad: Int32?
        for exit in exits(of: node, from: 0) where !end(exit.state) { bad = bad ?? exit.state }
        return bad.map { text(of: node, from: 0, to: $0) }
    }

    // MARK: Nodes

    private mutating func exits(of node: Int32, from state: Int32) -> [Exit] {
        let step = Step(index: node, state: state)
        if let known = nodeSteps[step] { return known }
        var exits: [Exit] = []
        var seen: Set<Int32> = []
        for (index, symbols) in graph.nodes[Int(node)].alternatives.enumerated() {
            var paths: [[Int32]] = [[]]
            for symbol in symbols {
                var next: [[Int32]] = []
                var reached: Set<Int32> = []
                for path in paths {
                    for state in self.states(behind: symbol, from: path.last ?? state)
                    where reached.insert(state).inserted {
                        next.append(path + [state])
                    }
                }
                paths = next
            }
            for path in paths {
                let last = path.last ?? state
                if seen.insert(last).inserted { exits.append(Exit(state: last, alternative: index, path: path)) }
            }
        }
        nodeSteps[step] = exits
        return exits
    }

    private mutating func states(behind symbol: SpeechGraph.Symbol, from state: Int32) -> [Int32] {
        switch symbol {
        case .text(let index): [step(index, from: state)]
        case .node(let index): exits(of: index, from: state).map(\.state)
        }
    }

    private mutating func text(of node: Int32, from start: Int32, to end: Int32) -> [UInt8] {
        guard let exit = exits(of: node, from: start).first(where: { $0.state == end }) else { return [] }
        var bytes: [UInt8] = []
        var state = start
        for (symbol, next) in zip(graph.nodes[Int(node)].alternatives[exit.alternative], exit.path) {
            switch symbol {
            case .text(let index): bytes += graph.texts[Int(index)]
            case .node(let index): bytes += text(of: index, from: state, to: next)
            }
            state = next
        }
        return bytes
    }

    // MARK: Words

    private mutating func step(_ text: Int32, from id: Int32) -> Int32 {
        let step = Step(index: text, state: id)
        if let known = textSteps[step] { return known }
        var state = states[Int(id)]
        for scalar in String(decoding: graph.texts[Int(text)], as: UTF8.self).unicodeScalars {
            switch CharacterKind(scalar) {
            case .letter:
                begin(&state)
                for byte in UTF8.encode(scalar) ?? .init() { advance(&state.places, byte) }
            case .word:
                endWord(&state)
                begin(&state)
                for byte in UTF8.encode(scalar) ?? .init() { advance(&state.places, byte) }
                endWord(&state)
            case .separator: endWord(&state)
            case .mark:
                endWord(&state)
                if state.phase == .gap { state.phase = .mark }
            }
        }
        let next = self.id(of: state)
        textSteps[step] = next
        return next
    }

    private mutating func id(of state: State) -> Int32 {
        if let id = ids[state] { return id }
        let id = Int32(states.count)
        states.append(state)
        ids[state] = id
        return id
    }

    /// Goes into a word where the state is not in one: clips that end here are done, others go on unless a mark is here.
    private mutating func begin(_ state: inout State) {
        switch state.phase {
        case .word: return
        case .start: state.places = [1]
        case .gap, .mark:
            let isCovered = endClips(state.places, atEnd: false)
            if state.phase == .mark { state.places = [] }
            if isCovered { state.places.insert(0, at: 0) }
        }
        state.phase = .word
    }

    private func endWord(_ state: inout State) {
        guard state.phase == .word else { return }
        advance(&state.places, 0)
        state.phase = .gap
    }

    private func advance(_ places: inout [Int32], _ byte: UInt8) {
        places = places.compactMap { place in lexicon.child(place / 2, byte).map { $0 * 2 + place % 2 } }
        places.sort()
    }

    /// Whether a clip ends at one of the places.
    private mutating func endClips(_ places: [Int32], atEnd: Bool) -> Bool {
        var isCovered = false
        for place in places {
            guard let clip = lexicon.clip(at: place / 2, atStart: place % 2 == 1, atEnd: atEnd) else { continue }
            fits[clip] = true
            isCovered = true
        }
        return isCovered
    }

    /// Whether a text that ends in this state is covered.
    private mutating func end(_ id: Int32) -> Bool {
        var state = states[Int(id)]
        endWord(&state)
        return endClips(state.places, atEnd: true)
    }
}
