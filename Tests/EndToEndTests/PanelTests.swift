import Foundation
import SoundboxCore
import TestBroker
import TestSupport
import Testing

/// Lights that are files, and lines that are not there. Chips and keys are tried in the virtual machine, Tests/Machine.
@Suite(.timeLimit(.minutes(5)))
struct PanelTests {
    let broker: Broker
    let folder: TemporaryFolder

    init() throws {
        broker = try Broker()
        folder = try TemporaryFolder()
        for light in ["power", "network"] {
            try folder.write("\(light)/max_brightness", "255\n")
            try folder.write("\(light)/brightness", "")
        }
    }

    func brightness(_ light: String) -> String {
        let text = try? String(contentsOfFile: "\(folder.path)/\(light)/brightness", encoding: .utf8)
        return String((text ?? "").prefix { $0 != "\n" })
    }

    @Test("Lights are lit while the daemon runs and dark after a clean stop; what is missing is a problem and no more")
    func lights() throws {
        let daemon = try Daemon(
            port: broker.port,
            settings: [
                "[panel]", "led_power = \(folder.path)/power", "led_network = \(folder.path)/network",
                "led_error = \(folder.path)/nowhere", "button_repeat = /nowhere/event0 KEY_PLAY", "brightness = 40",
            ])
        let backend = try Backend(port: broker.port)
        try daemon.start()
        try backend.status("online")
        #expect(brightness("power") == "102")
        try backend.pay(#"{"id":"n1","amount":"1","currency":"CNY"}"#)
        try backend.receipt("n1", "spoken")
        #expect(daemon.log.contains("led_error: \(folder.path)/nowhere: open: No such file or directory"))
        #expect(daemon.log.contains("button_repeat: /nowhere/event0: open: No such file or directory"))
        #expect(daemon.stop() == 0)
        #expect(brightness("power") == "0" && brightness("network") == "0")
    }

    @Test("The box says that it has started and that it is online, each once, unless it is told not to")
    func prompts() throws {
        let daemon = try Daemon(port: broker.port, settings: ["[panel]", "prompts = started online"])
        let backend = try Backend(port: broker.port)
        try daemon.start()
        try backend.status("online")
        // The queue is empty when the last of it has begun; what comes behind it is heard after the prompts.
        _ = try backend.command(#"{"id":"c1","do":"prompt","prompt":"test"}"#, id: "c1")
        try daemon.waitFor(.phrase("prompt.test"))
        daemon.stop()
        for prompt in ["started", "online"] {
            #expect(try daemon.count(.phrase("prompt.\(prompt)")) == 1, "\(prompt)")
        }
    }
}

extension Daemon {
    /// How often an utterance was heard, whole.
    fileprivate func count(_ utterance: Utterance) throws -> Int {
        let wanted = try rendered([utterance]).withUnsafeBytes { Data($0) }
        let heard = try self.heard().withUnsafeBytes { Data($0) }
        var count = 0
        var rest = heard[...]
        while let place = rest.range(of: wanted) {
            count += 1
            rest = rest[place.upperBound...]
        }
        return count
    }

    /// Waits until an utterance was heard.
    fileprivate func waitFor(_ utterance: Utterance) throws {
        let deadline = Date().addingTimeInterval(60)
        while try count(utterance) == 0 {
            guard Date() < deadline else { throw DaemonError(description: "not heard: \(utterance)\n\(log)") }
            usleep(20_000)
        }
    }
}
