import CLinux
import Glibc

/// A key of an input device, `/dev/input/event*`: what a `gpio-key` overlay or a USB keypad makes. One thread.
///
/// Plain reads of `struct input_event`: what libevdev adds, putting the state together again after the kernel's buffer ran
/// over, is what reading the key's level does here in any case.
struct InputKey: ~Copyable {
    private let file: DeviceFile
    private let code: Int

    /// Opens the device, and has its events stamped on CLOCK_MONOTONIC: by the wall clock, which may be set at any time, a
    /// short press could become a long one. open(2), `EVIOCSCLOCKID`
    init(device: String, code: Int) throws(PanelError) {
        let file = try DeviceFile(device, O_RDONLY | O_NONBLOCK, for: device)
        guard soundbox_input_set_clock(file.descriptor, CLOCK_MONOTONIC) == 0 else { throw PanelError(device, .open) }
        let has = soundbox_input_has_key(file.descriptor, UInt32(code))
        guard has >= 0 else { throw PanelError(device, .open) }
        guard has == 1 else { throw PanelError("key \(code) of \(device)", .findLine, code: ENOENT) }
        self.file = file
        self.code = code
    }

    /// Readable while an event waits, for poll(2).
    var descriptor: Int32 { file.descriptor }

    /// Whether the key is down. `EVIOCGKEY`
    func get() throws(PanelError) -> Bool {
        let state = soundbox_input_key_is_down(file.descriptor, UInt32(code))
        guard state >= 0 else { throw PanelError(file.path, .read) }
        return state == 1
    }

    /// The next press or release of the key that waits; nil where none does. read(2)
    func nextEdge() throws(PanelError) -> Edge? {
        var event = input_event()
        let size = MemoryLayout<input_event>.size
        while true {
            let count = read(file.descriptor, &event, size)
            if count < 0, errno == EAGAIN { return nil }
            if count < 0, errno == EINTR { continue }
            guard count == size else { throw PanelError(file.path, .read, code: count < 0 ? errno : ENODEV) }
            // A value of 2 is the keyboard's own repetition.
            guard Int32(event.type) == EV_KEY, Int(event.code) == code, event.value != 2 else { continue }
            return Edge(isPressed: event.value == 1, time: soundbox_input_time(&event))
        }
    }
}
