import Testing

@testable import SoundboxGPIO

/// What may stand behind `led_…` and `button_…`.
struct SettingTests {
    @Test(
        "Lights",
        arguments: [
            ("GPIO17", LightSetting.gpio(GPIOSetting(line: "GPIO17"))),
            ("17", .gpio(GPIOSetting(line: "17"))),
            ("!LED_RED", .gpio(GPIOSetting(line: "LED_RED", isActiveLow: true))),
            ("!4  open-drain", .gpio(GPIOSetting(line: "4", isActiveLow: true, drive: .openDrain))),
            ("4 open-source", .gpio(GPIOSetting(line: "4", drive: .openSource))),
            ("/sys/class/leds/soundbox:green", .led("/sys/class/leds/soundbox:green")),
        ])
    func lights(_ text: String, _ setting: LightSetting) {
        #expect(LightSetting(text) == setting)
    }

    @Test(
        "Buttons have a resistor against the level that a press makes, unless they are told another",
        arguments: [
            ("!GPIO27", ButtonSetting.gpio(GPIOSetting(line: "GPIO27", isActiveLow: true, bias: .pullUp))),
            ("GPIO27", .gpio(GPIOSetting(line: "GPIO27", bias: .pullDown))),
            ("27 pull-up", .gpio(GPIOSetting(line: "27", bias: .pullUp))),
            ("!27 pull-down", .gpio(GPIOSetting(line: "27", isActiveLow: true, bias: .pullDown))),
            ("27 no-bias", .gpio(GPIOSetting(line: "27", bias: .disabled))),
            ("27 as-is", .gpio(GPIOSetting(line: "27", bias: .asIs))),
            (
                "/dev/input/by-path/platform-keys-event KEY_PLAYPAUSE",
                .key(device: "/dev/input/by-path/platform-keys-event", code: 164)
            ),
            ("/dev/input/event0 KEY_KP5", .key(device: "/dev/input/event0", code: 76)),
            ("/dev/input/event0 767", .key(device: "/dev/input/event0", code: 767)),
        ])
    func buttons(_ text: String, _ setting: ButtonSetting) {
        #expect(ButtonSetting(text) == setting)
    }

    @Test(
        "What is no line, or has an option that does not belong to it",
        arguments: [
            "", " ", "!", "! 4", "17 pull-up pull-up", "17 fast", "a-name-that-is-longer-than-31-bytes",
            "/sys/class/leds/a b", "17 pull-up",
        ])
    func refusedLights(_ text: String) {
        #expect(LightSetting(text) == nil)
    }

    @Test(
        "Keys without a code, with one that is none, and options of outputs",
        arguments: [
            "", "!", "/dev/input/event0", "/dev/input/event0 KEY_NONSENSE", "/dev/input/event0 0",
            "/dev/input/event0 768",
            "/dev/input/event0 -1", "/dev/input/event0 28 29", "27 open-drain",
        ])
    func refusedButtons(_ text: String) {
        #expect(ButtonSetting(text) == nil)
    }
}
