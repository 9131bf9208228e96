import Foundation

/// A folder that is gone when the test is.
public final class TemporaryFolder {
    /// Its absolute path.
    public let path: String

    /// Makes a new one under the system's temporary folder.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("soundbox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a text file, in folders that are made where they are missing, and returns its path.
    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
        return file.path
    }
}
