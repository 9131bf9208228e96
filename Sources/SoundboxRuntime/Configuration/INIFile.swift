import CInih
import SoundboxPlatform

/// An INI file read by libinih: `[section]`, `name = value`, comments behind `;` or `#`.
enum INIFile {
    /// One setting and where it stands.
    struct Entry: Equatable {
        var section: String
        var name: String
        var value: String
        var line: Int
    }

    /// What libinih's callbacks share: the bytes it reads from, and the entries it finds.
    private final class Reader {
        let bytes: [UInt8]
        var at = 0
        /// libinih has no line number for its handler (it was built without), but it asks for one line at a time.
        var line = 0
        var entries: [Entry] = []
        var tooLong: Int?

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// Like fgets(3): the next line with its newline, cut at the buffer's size.
        func readLine(into buffer: UnsafeMutablePointer<CChar>, size: Int) -> Bool {
            guard at < bytes.count, size > 1 else { return false }
            line += 1
            var count = 0
            while at < bytes.count, count < size - 1 {
                let byte = bytes[at]
                buffer[count] = CChar(bitPattern: byte)
                count += 1
                at += 1
                if byte == UInt8(ascii: "\n") { break }
            }
            buffer[count] = 0
            if at < bytes.count, bytes[at - 1] != UInt8(ascii: "\n"), tooLong == nil { tooLong = line }
            return true
        }
    }

    /// The settings of a file in their order. `ini_parse_stream`. Throws a ``ConfigurationError`` for a line that is
    /// no setting, and for a file that cannot be read.
    static func entries(of path: String) throws(ConfigurationError) -> [Entry] {
        let bytes: [UInt8]
        do {
            bytes = try File.read(path, limit: 1 << 20)
        } catch {
            throw ConfigurationError(file: path, text: SystemError.text(error.code))
        }
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            throw ConfigurationError(file: path, text: "not a text file in UTF-8")
        }
        let reader = Reader(bytes: bytes)
        let user = Unmanaged.passUnretained(reader).toOpaque()
        let status = ini_parse_stream(
            { buffer, size, stream in
                guard let buffer, let stream else { return nil }
                let reader = Unmanaged<Reader>.fromOpaque(stream).takeUnretainedValue()
                return reader.readLine(into: buffer, size: Int(size)) ? buffer : nil
            }, user,
            { user, section, name, value in
                guard let user, let section, let name, let value else { return 0 }
                let reader = Unmanaged<Reader>.fromOpaque(user).takeUnretainedValue()
                reader.entries.append(
                    Entry(
                        section: String(cString: section), name: String(cString: name), value: String(cString: value),
                        line: reader.line))
                return 1
            }, user)
        if let line = reader.tooLong { throw ConfigurationError(file: path, line: line, text: "the line is too long") }
        guard status == 0 else {
            throw ConfigurationError(
                file: path, line: status > 0 ? Int(status) : nil, text: "neither a [section] nor a setting")
        }
        return reader.entries
    }
}
