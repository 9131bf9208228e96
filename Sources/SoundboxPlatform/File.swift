import Glibc

/// Whole files and folders.
public enum File {
    /// The bytes of a file of at most `limit` bytes; a larger one is EFBIG. open(2), read(2).
    public static func read(_ path: String, limit: Int = 4 << 20) throws(SystemError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemError("open \(path)") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw SystemError("read \(path)")
            }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else { throw SystemError("read \(path)", code: EFBIG) }
        }
    }

    /// The names in a folder that end in `suffix`, sorted. opendir(3).
    public static func names(in folder: String, suffix: String) throws(SystemError) -> [String] {
        guard let directory = opendir(folder) else { throw SystemError("open \(folder)") }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(suffix), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Writes a file, in place of what is there. open(2), write(2).
    public static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw SystemError("open \(path)") }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write \(path)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes a file that is not there yet, for its owner alone. open(2) with O_EXCL.
    public static func writeNew(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError("open \(path)") }
        close(file)
        try write(bytes, to: path)
    }

    /// How many bytes a file has. stat(2).
    public static func size(of path: String) throws(SystemError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError("stat \(path)") }
        return Int(status.st_size)
    }

    /// Makes a folder and those above it, for its owner alone where it is new. mkdir(2).
    public static func makeFolder(_ path: String) throws(SystemError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw SystemError("make folder \(path)") }
        }
    }

    /// Whether there is something at this path. access(2).
    public static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}
