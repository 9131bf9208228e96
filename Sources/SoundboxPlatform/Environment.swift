import Glibc

/// The process's environment.
public enum Environment {
    /// The value of a variable; nil where it is not set. getenv(3): nothing in this program changes the environment
    /// once there are threads.
    public static subscript(name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
