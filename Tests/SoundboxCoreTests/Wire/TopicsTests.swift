import Testing

@testable import SoundboxCore

struct TopicsTests {
    let topics = Topics(root: "pay", box: "b1", groups: ["east", "vip"])

    @Test("The box takes its own notices, and commands for itself, its groups and all")
    func routes() {
        #expect(
            topics.subscriptions == [
                "pay/b1/pay", "pay/b1/cmd", "pay/all/cmd", "pay/group/east/cmd", "pay/group/vip/cmd",
            ])
        #expect(topics.route("pay/b1/pay") == .notice)
        for command in topics.subscriptions.dropFirst() { #expect(topics.route(command) == .command) }
        for other in [
            "pay/b2/pay", "pay/b1", "pay/b1/pay/x", "soundbox/b1/pay", "pay/group/west/cmd", "pay/b1/receipt", "",
        ] {
            #expect(topics.route(other) == nil, "\(other)")
        }
    }

    @Test("A name becomes one level of a topic, or is refused")
    func levels() {
        for good in ["b1", "柜台", "a b", String(repeating: "x", count: 64)] { #expect(Topics.isLevel(good), "\(good)") }
        for bad in ["", "a/b", "+", "a#", "a\nb", "\u{7F}", String(repeating: "x", count: 65)] {
            #expect(!Topics.isLevel(bad), "\(bad)")
        }
    }
}
