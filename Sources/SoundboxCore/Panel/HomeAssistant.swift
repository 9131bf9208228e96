// For makers: the box announces itself by Home Assistant's MQTT discovery, one retained message for all it can do there.

extension Topics {
    /// What was spoken last, for Home Assistant; only with discovery.
    public var last: String { "\(root)/\(box)/last" }

    /// Where Home Assistant looks for devices. It takes only letters, digits, `_` and `-` in the name.
    var homeAssistant: String {
        let name = "\(root)-\(box)".unicodeScalars.map { scalar in
            let isTaken = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            return isTaken || scalar == "-" ? Character(scalar) : "_"
        }
        return "homeassistant/device/\(String(name))/config"
    }
}

extension Speaker {
    /// Announces the box, at each connect: what is retained may have been lost.
    mutating func announceToHomeAssistant() {
        guard settings.announcesToHomeAssistant else { return }
        let payload = homeAssistantDevice.text
        perform(.publish(Publication(topic: settings.topics.homeAssistant, payload: payload, qos: 1, retained: true)))
    }

    /// Tells what was spoken, and keeps it told.
    mutating func tellLast(_ record: NoticeRecord?, at now: Now) {
        guard settings.announcesToHomeAssistant, let record, let amount = record.amount else { return }
        let payload: JSON = .object([
            .init("amount", .string(amount.currency.decimalText(amount.minorUnits))),
            .init("currency", .string(amount.currency.code)), .init("kind", .string(record.kind.rawValue)),
            .init("channel", record.channel.map { .string($0) } ?? .null), .init("at", .string(now.wall.text)),
        ])
        perform(.publish(Publication(topic: settings.topics.last, payload: payload.text, qos: 1, retained: true)))
    }

    private var homeAssistantDevice: JSON {
        let topics = settings.topics
        let status = JSON.string(topics.status)
        func component(_ platform: String, _ id: String, _ name: String, _ more: [JSON.Member]) -> JSON.Member {
            .init(
                id,
                .object(
                    [
                        .init("platform", .string(platform)), .init("name", .string(name)),
                        .init("unique_id", .string("\(topics.root)-\(topics.box)-\(id)")),
                    ] + more))
        }
        // A command runs once for each id: the time at which it is sent makes one.
        func command(_ body: String) -> [JSON.Member] {
            [
                .init("command_topic", .string(topics.command)),
                .init("command_template", .string("{\"id\":\"ha-{{ now().timestamp() }}\",\(body)}")),
            ]
        }
        let components: [JSON.Member] = [
            component("button", "repeat", "Repeat", command("\"do\":\"repeat\"")),
            component("button", "total", "Today's total", command("\"do\":\"total\"")),
            component(
                "number", "volume", "Volume",
                [
                    .init("min", JSON(0)), .init("max", JSON(100)), .init("step", JSON(Speaker.volumeStep)),
                    .init("state_topic", status), .init("value_template", "{{ value_json.volume }}"),
                ] + command("\"do\":\"volume\",\"volume\":{{ value | int }}")),
            component(
                "sensor", "amount", "Last amount",
                [
                    .init("state_topic", .string(topics.last)), .init("value_template", "{{ value_json.amount }}"),
                    .init("json_attributes_topic", .string(topics.last)),
                ]),
            component(
                "binary_sensor", "problem", "Problem",
                [
                    .init("device_class", "problem"), .init("state_topic", status),
                    .init("value_template", "{{ 'ON' if value_json.problems else 'OFF' }}"),
                    .init("json_attributes_topic", status),
                    .init("json_attributes_template", "{{ value_json.problems | tojson }}"),
                ]),
        ]
        return .object([
            .init(
                "device",
                .object([
                    .init("identifiers", .string("\(topics.root)-\(topics.box)")),
                    .init("name", .string(settings.name.isEmpty ? topics.box : settings.name)),
                    .init("model", "Soundbox"), .init("sw_version", .string(settings.version)),
                ])),
            .init("origin", .object([.init("name", "Soundbox"), .init("sw_version", .string(settings.version))])),
            .init("availability_topic", status),
            .init("availability_template", "{{ 'online' if value_json.state == 'online' else 'offline' }}"),
            .init("components", .object(components)),
        ])
    }
}
