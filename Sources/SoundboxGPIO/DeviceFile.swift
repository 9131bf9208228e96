import Glibc

/// An open file of the kernel's, which closes itself.
struct DeviceFile: ~Copyable {
    let path: String
    let descriptor: Int32

    /// open(2), closed on exec
    init(_ path: String, _ flags: Int32, for line: String) throws(PanelError) {
        let descriptor = open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw PanelError(line, .open) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}
