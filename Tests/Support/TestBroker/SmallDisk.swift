import Foundation

/// A small file system of its own, where this process may mount one.
public final class SmallDisk {
    /// Where it is mounted.
    public let folder: URL

    /// Whether tests that need one can run.
    public static let isAvailable: Bool = (try? SmallDisk(kilobytes: 64)) != nil

    /// Mounts an empty one.
    public init(kilobytes: Int) throws {
        folder = try temporaryFolder("disk")
        try run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k,mode=700", "soundbox-test", folder.path)
    }

    deinit {
        try? run("umount", "-l", folder.path)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Forbids or allows writing.
    public func remount(readOnly: Bool) throws {
        try run("mount", "-o", readOnly ? "remount,ro" : "remount,rw", folder.path)
    }

    /// Takes all space that there is, until the file that is returned is removed.
    public func fill() throws -> URL {
        let filler = folder.appendingPathComponent("filler")
        try Data().write(to: filler)
        let handle = try FileHandle(forWritingTo: filler)
        while (try? handle.write(contentsOf: Data(repeating: 1, count: 4096))) != nil {}
        try handle.close()
        return filler
    }
}
