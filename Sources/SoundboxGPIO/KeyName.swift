/// Names of keys that a box or a keypad may have, as linux/input-event-codes.h has them.
enum KeyName {
    private static let codes: [String: Int] = [
        "KEY_ENTER": 28, "KEY_SPACE": 57, "KEY_KPENTER": 96, "KEY_KPPLUS": 78, "KEY_KPMINUS": 74,
        "KEY_KPASTERISK": 55, "KEY_KPSLASH": 98, "KEY_KPDOT": 83, "KEY_KP0": 82, "KEY_KP1": 79, "KEY_KP2": 80,
        "KEY_KP3": 81, "KEY_KP4": 75, "KEY_KP5": 76, "KEY_KP6": 77, "KEY_KP7": 71, "KEY_KP8": 72, "KEY_KP9": 73,
        "KEY_UP": 103, "KEY_DOWN": 108, "KEY_MUTE": 113, "KEY_VOLUMEDOWN": 114, "KEY_VOLUMEUP": 115,
        "KEY_POWER": 116, "KEY_PLAYPAUSE": 164, "KEY_PLAY": 207, "KEY_PROG1": 148, "KEY_PROG2": 149,
        "BTN_0": 256, "BTN_1": 257, "BTN_2": 258, "BTN_3": 259,
    ]

    /// The code of a name, or a code as a number, up to KEY_MAX; nil for anything else.
    static func code(_ text: String) -> Int? {
        if let code = codes[text] { return code }
        guard let code = Int(text), (1...0x2FF).contains(code) else { return nil }
        return code
    }
}
