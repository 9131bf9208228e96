import Glibc
import SoundboxPlatform
import Synchronization

/// What the other threads have for the control thread, in the order in which they put it in.
final class Mailbox<Letter: Sendable>: Sendable {
    private let letters = Mutex<[Letter]>([])
    private let event: EventDescriptor

    init() throws(SystemError) {
        event = try EventDescriptor()
    }

    /// Readable while there are letters, for poll(2).
    var descriptor: Int32 { event.descriptor }

    /// Puts a letter in and wakes the control thread. Any thread.
    func put(_ letter: Letter) {
        letters.withLock { $0.append(letter) }
        event.signal()
    }

    /// Sleeps until there is a letter, or for so many milliseconds. Control thread.
    func wait(milliseconds: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, milliseconds)
    }

    /// Takes all letters out. Control thread.
    func take() -> [Letter] {
        event.clear()
        return letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
