/// The clips of a pack by their words, and the cover of a text by the fewest of them.
struct Lexicon: Sendable {
    /// Where in an announcement a clip may stand.
    struct Anchors: OptionSet, Hashable, Sendable {
        let rawValue: Int
        static let start = Anchors(rawValue: 1)
        static let end = Anchors(rawValue: 2)

        /// Takes `^` and `$` off the words of a clip.
        static func split(_ words: String) -> (words: Substring, anchors: Anchors) {
            var bare = words[...]
            var anchors: Anchors = []
            if bare.hasPrefix("^") {
                anchors.insert(.start)
                bare.removeFirst()
            }
            if bare.hasSuffix("$") {
                anchors.insert(.end)
                bare.removeLast()
            }
            return (bare, anchors)
        }
    }

    /// The clip (its index) by the anchors it has; -1 for none. Both anchors are preferred, then the end: a last word
    /// falls, whatever is before it.
    private struct Entry {
        var clips: (plain: Int32, start: Int32, end: Int32, both: Int32) = (-1, -1, -1, -1)

        subscript(anchors: Anchors) -> Int32 {
            get {
                switch anchors {
                case [.start, .end]: clips.both
                case .end: clips.end
                case .start: clips.start
                default: clips.plain
                }
            }
            set {
                switch anchors {
                case [.start, .end]: clips.both = newValue
                case .end: clips.end = newValue
                case .start: clips.start = newValue
                default: clips.plain = newValue
                }
            }
        }

        func clip(atStart: Bool, atEnd: Bool) -> Int32 {
            if atStart, atEnd, clips.both >= 0 { return clips.both }
            if atEnd, clips.end >= 0 { return clips.end }
            if atStart, clips.start >= 0 { return clips.start }
            return clips.plain
        }
    }

    /// A node of the trie over the bytes of words; the children of one node are neighbours, sorted by their byte.
    private struct Node {
        var byte: UInt8
        var entry: Int32 = -1
        var children: Range<Int32> = 0..<0
    }

    private var nodes = [Node(byte: 0)]
    private var entries: [Entry] = []

    /// - Parameter clips: the bytes of each clip's words as ``WordList`` has them, all different for the same anchors.
    init(_ clips: [(words: [UInt8], anchors: Anchors)]) {
        let order = clips.indices.sorted { clips[$0].words.lexicographicallyPrecedes(clips[$1].words) }
        // Breadth first, so that the children of a node come one after the other.
        var queue = [(node: 0, clips: 0..<order.count, depth: 0)]
        var next = 0
        while next < queue.count {
            let (node, range, depth) = queue[next]
            next += 1
            let first = Int32(nodes.count)
            var at = range.lowerBound
            while at < range.upperBound {
                let clip = order[at]
                guard depth < clips[clip].words.count else {
                    if nodes[node].entry < 0 {
                        nodes[node].entry = Int32(entries.count)
                        entries.append(Entry())
                    }
                    entries[entries.count - 1][clips[clip].anchors] = Int32(clip)
                    at += 1
                    continue
                }
                let byte = clips[clip].words[depth]
                let end = order[at..<range.upperBound].firstIndex { clips[$0].words[depth] != byte } ?? range.upperBound
                queue.append((nodes.count, at..<end, depth + 1))
                nodes.append(Node(byte: byte))
                at = end
            }
            nodes[node].children = first..<Int32(nodes.count)
        }
    }

    /// The node behind a byte; node 0 is in front of every word.
    func child(_ node: Int32, _ byte: UInt8) -> Int32? {
        var low = nodes[Int(node)].children.lowerBound
        var high = nodes[Int(node)].children.upperBound
        while low < high {
            let middle = (low + high) / 2
            let found = nodes[Int(middle)].byte
            if found == byte { return middle }
            if found < byte { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The clip whose words end at a node, by where in the announcement it would stand; nil for none.
    func clip(at node: Int32, atStart: Bool, atEnd: Bool) -> Int? {
        let entry = nodes[Int(node)].entry
        guard entry >= 0 else { return nil }
        let clip = entries[Int(entry)].clip(atStart: atStart, atEnd: atEnd)
        return clip >= 0 ? Int(clip) : nil
    }

    /// Calls `body` with the end (in words) and the clip of everything that fits at a word, the shortest first.
    private func forEachClip(_ list: WordList, at start: Int, _ body: (_ end: Int, _ clip: Int32) -> Void) {
        var node: Int32 = 0
        var end = start
        var at = list.words[start].start
        while at < list.bytes.count, let next = child(node, list.bytes[at]) {
            node = next
            let endsWord = list.bytes[at] == 0
            at += 1
            guard endsWord else { continue }
            end += 1
            if let clip = clip(at: node, atStart: start == 0, atEnd: end == list.words.count) {
                body(end, Int32(truncatingIfNeeded: clip))
            }
            // No clip reaches across a mark.
            if end == list.words.count || list.words[end].pause != nil { return }
        }
    }

    /// The cover of one text; its storage is used again for the next.
    struct Cover {
        /// For each word: how many clips it takes from here to the end, and the first of them.
        fileprivate var best: [(count: Int, end: Int, clip: Int32)] = []
    }

    /// Covers the words with the fewest clips, of as many with the longest first; false where that cannot be done.
    func cover(_ list: WordList, _ cover: inout Cover) -> Bool {
        let count = list.words.count
        cover.best.removeAll(keepingCapacity: true)
        for _ in 0..<count { cover.best.append((Int.max, 0, -1)) }
        cover.best.append((0, 0, -1))
        for start in stride(from: count - 1, through: 0, by: -1) {
            forEachClip(list, at: start) { end, clip in
                let rest = cover.best[end].count
                if rest < Int.max, rest + 1 <= cover.best[start].count { cover.best[start] = (rest + 1, end, clip) }
            }
        }
        return cover.best[0].count < Int.max
    }

    /// The first word, counted from the start, that no run of clips gets past; for a text without a cover.
    func firstUncovered(_ list: WordList) -> Int {
        var isReached = Array(repeating: false, count: list.words.count + 1)
        isReached[0] = true
        for start in list.words.indices where isReached[start] {
            forEachClip(list, at: start) { end, _ in isReached[end] = true }
        }
        return isReached.lastIndex(of: true) ?? 0
    }
}

extension Lexicon.Cover {
    /// Appends the clips, and the pauses between and behind them; a pause of nothing is left out.
    func append(to steps: inout [ClipPlan.Step], _ list: WordList, _ pauses: Pauses) {
        func append(pause: Int) {
            if pause > 0 { steps.append(.pause(pause)) }
        }
        var at = 0
        while at < list.words.count {
            if at > 0 { append(pause: list.words[at].pause ?? pauses.clip) }
            steps.append(.clip(Int(best[at].clip)))
            at = best[at].end
        }
        append(pause: pauses.end)
    }
}
