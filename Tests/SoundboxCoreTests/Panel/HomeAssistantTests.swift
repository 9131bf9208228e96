import TestVoice
import Testing

@testable import SoundboxCore

/// What Home Assistant is told, and that nobody is unless it is wanted.
struct HomeAssistantTests {
    func box(_ id: String = "b1", announces: Bool = true) throws -> TestBox {
        var settings = Speaker.Settings(topics: Topics(root: "soundbox", box: id), name: "Counter", version: "1")
        settings.announcesToHomeAssistant = announces
        return TestBox(settings: settings, planner: try TestVoice.planner(), isConnected: false)
    }

    func message(_ box: TestBox, _ topic: String) throws -> JSON? {
        try box.published.last { $0.topic == topic && $0.retained }.map { try JSON(parsing: $0.payload) }
    }

    @Test("At each connect one retained message announces what the box has, with templates that make its commands")
    func announcement() throws {
        let box = try box()
        box.send(.connected)
        let device = try #require(try message(box, "homeassistant/device/soundbox-b1/config"))
        #expect(device["device"]?["name"] == "Counter" && device["device"]?["identifiers"] == "soundbox-b1")
        #expect(device["origin"]?["name"] == "Soundbox")
        #expect(device["availability_topic"] == "soundbox/b1/status")
        let components = try #require(device["components"])
        for (id, platform) in [
            ("repeat", "button"), ("total", "button"), ("volume", "number"), ("amount", "sensor"),
            ("problem", "binary_sensor"),
        ] {
            #expect(components[id]?["platform"]?.string == platform)
            #expect(components[id]?["unique_id"]?.string == "soundbox-b1-\(id)")
        }
        // What the templates come to is a command that the box takes.
        for (id, value, action) in [
            ("repeat", "", Command.Action.repeat), ("total", "", .total), ("volume", "35", .volume(.to(35))),
        ] {
            #expect(components[id]?["command_topic"] == "soundbox/b1/cmd")
            let template = components[id]?["command_template"]?.string ?? ""
            let text = replace(replace(template, "{{ now().timestamp() }}", "1796000000.1"), "{{ value | int }}", value)
            let command = try Command(decoding: Array(text.utf8))
            #expect(command.action == action && command.id == "ha-1796000000.1")
        }
        box.forget()
        box.send(.disconnected("gone"))
        box.send(.connected)
        #expect(try message(box, "homeassistant/device/soundbox-b1/config") == device)
    }

    @Test("The last amount is told when it was spoken")
    func last() throws {
        let box = try box()
        box.send(.connected)
        box.notice(TestBox.payment("n1", "100.65"))
        #expect(try message(box, "soundbox/b1/last") == nil)
        box.hear()
        let last = try #require(try message(box, "soundbox/b1/last"))
        #expect(last["amount"] == "100.65" && last["currency"] == "CNY" && last["kind"] == "payment")
    }

    @Test("A box's name becomes one that Home Assistant takes")
    func names() {
        #expect(
            Topics(root: "soundbox", box: "柜台 1.a_b-c").homeAssistant
                == "homeassistant/device/soundbox-___1_a_b-c/config")
    }

    @Test("Unless it is wanted nothing of it is published")
    func off() throws {
        let box = try box(announces: false)
        box.send(.connected)
        box.notice(TestBox.payment("n1"))
        box.hear()
        #expect(box.published.allSatisfy { !$0.topic.hasPrefix("homeassistant") && $0.topic != "soundbox/b1/last" })
    }

    private func replace(_ text: String, _ part: String, _ other: String) -> String {
        text.split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
