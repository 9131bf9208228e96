import Foundation
import TestBroker
import Testing

/// A mixer element that is not there must not silence the box.
@Suite(.timeLimit(.minutes(5)))
struct MixerFallbackTests {
    @Test("Without the card's mixer the samples are turned down, and the log says why")
    func fallback() throws {
        let broker = try Broker()
        let daemon = try Daemon(
            port: broker.port, settings: ["[audio]", "mixer = PCM", "mixer_card = hw:Nowhere", "volume = 50"])
        let backend = try Backend(port: broker.port)
        try daemon.start()
        try backend.status("online")
        try backend.pay(#"{"id":"n1","amount":"1"}"#)
        try backend.receipt("n1", "spoken")
        #expect(daemon.stop() == 0)
        #expect(daemon.log.contains("mixer hw:Nowhere, PCM: open: "))
        let loudest = try daemon.heard().map { abs(Int($0)) }.max() ?? 0
        #expect(loudest > 0 && loudest < 6000, "the clips have 12000, 50 is 20 dB below")
    }
}
