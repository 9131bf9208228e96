import TestSupport
import Testing

@testable import SoundboxJournal

/// Which receipts are handed over when, without a journal and without a broker.
@Suite struct ReceiptWindowTests {
    /// A journal's receipts by number, and all that was handed over, in its order.
    private struct Post {
        var window = ReceiptWindow()
        var stored: [Int64] = []
        var sent: [Int64] = []
        var isFull = false

        mutating func fill() {
            let (stored, isFull) = (stored, isFull)
            var sent = sent
            window.fill { after, through, limit in
                stored.filter { $0 > after && $0 <= through }.prefix(limit).map {
                    KeptReceipt(number: $0, topic: "t", payload: "\($0)")
                }
            } send: { receipt in
                guard !isFull else { return nil }
                sent.append(receipt.number)
                return Post.ticket(receipt.number)
            }
            self.sent = sent
        }

        mutating func deliver(_ number: Int64) {
            #expect(window.delivered(ticket: Post.ticket(number)) == number)
            stored.removeAll { $0 == number }
        }

        static func ticket(_ number: Int64) -> UInt64 { UInt64(number + 1_000_000) }
    }

    @Test func noMoreThanTwentyAreUnderWay() {
        var post = Post()
        post.stored = Array(1...50)
        post.window.committed(through: 50)
        post.fill()
        #expect(post.sent == Array(1...20))
        post.fill()
        #expect(post.sent.count == 20)
        post.deliver(3)
        post.deliver(1)
        post.fill()
        #expect(post.sent == Array(1...22))
    }

    @Test func nothingIsHandedOverBeforeItsCommit() {
        var post = Post()
        post.stored = Array(1...9)
        post.fill()
        #expect(post.sent.isEmpty)
        post.window.committed(through: 4)
        post.fill()
        #expect(post.sent == [1, 2, 3, 4])
        // The answer of an older commit takes nothing back.
        post.window.committed(through: 2)
        post.window.committed(through: 9)
        post.fill()
        #expect(post.sent == Array(1...9))
    }

    @Test func whatEarlierProcessesLeftComesFirst() {
        var post = Post()
        post.stored = [-40, -7, 0, 1, 2]
        post.fill()
        #expect(post.sent == [-40, -7, 0])
        post.window.committed(through: 2)
        post.fill()
        #expect(post.sent == [-40, -7, 0, 1, 2])
    }

    @Test func aFileThatComesUpLateIsNotForgotten() {
        var post = Post()
        post.stored = Array(1...15)
        post.window.committed(through: 15)
        post.fill()
        post.deliver(2)
        post.stored = Array(-30...0) + post.stored
        post.window.rewind()
        post.fill()
        // Fourteen are under way, so there is room for six.
        #expect(post.sent == Array(1...15) + Array(-30...(-25)))
        while let number = post.stored.first(where: { post.sent.contains($0) }) {
            post.deliver(number)
            post.fill()
        }
        #expect(post.sent == Array(1...15) + Array(-30...0))
    }

    @Test func whatCannotBeSentNowIsSentNext() {
        var post = Post()
        post.stored = [1, 2]
        post.window.committed(through: 2)
        post.isFull = true
        post.fill()
        #expect(post.sent.isEmpty)
        post.isFull = false
        post.fill()
        #expect(post.sent == [1, 2])
    }

    @Test func receiptsThatWereGivenUpAreNotWaitedFor() {
        var post = Post()
        post.window.committed(through: 5)
        post.fill()
        post.stored = [6]
        post.window.committed(through: 6)
        post.fill()
        #expect(post.sent == [6])
    }

    @Test func whatIsNoReceiptIsNotDelivered() {
        var window = ReceiptWindow()
        #expect(window.delivered(ticket: 1) == nil)
    }

    @Test func randomLivesHandOverAllInOrderAndOnce() {
        var random = SeededGenerator()
        print("receipt window: seed \(random.seed)")
        for _ in 0..<300 {
            var post = Post()
            let old = Int64.random(in: 0...60, using: &random)
            if old > 0 { post.stored = Array((1 - old)...0) }
            var last: Int64 = 0
            func step(_ choice: Int) {
                switch choice {
                case 0:
                    last += 1
                    post.stored.append(last)
                case 1: post.window.committed(through: last)
                case 2: post.isFull.toggle()
                default:
                    let underWay = post.sent.filter { post.stored.contains($0) }
                    #expect(underWay.count <= ReceiptWindow.limit)
                    if let number = underWay.randomElement(using: &random) { post.deliver(number) }
                }
                post.fill()
            }
            for _ in 0..<200 { step(Int.random(in: 0..<5, using: &random)) }
            post.isFull = false
            post.window.committed(through: last)
            post.fill()
            while !post.stored.isEmpty { step(3) }
            #expect(post.sent == Array((1 - old)..<(last + 1)))
        }
    }
}

/// How long a commit may take.
@Suite struct CommitWatchTests {
    private let second: UInt64 = 1_000_000_000

    @Test func aCommitIsGivenUpAfterFiveSeconds() {
        var watch = CommitWatch()
        #expect(watch.deadline == .max)
        watch.asked(1, receipts: 10, at: 3 * second)
        watch.asked(2, receipts: 12, at: 4 * second)
        #expect(watch.deadline == 8 * second)
        #expect(watch.overdue(at: 8 * second - 1).isEmpty)
        #expect(watch.overdue(at: 8 * second) == [1])
        #expect(watch.overdue(at: 9 * second) == [1, 2])
        #expect(watch.answered(1) == 10)
        #expect(watch.answered(1) == nil)
        #expect(watch.deadline == 9 * second)
        #expect(watch.answered(2) == 12)
        #expect(watch.deadline == .max)
    }
}
