/// The program's version.
public enum SoundboxVersion {
    /// Semantic version, as CHANGELOG.md has it.
    public static let text = "0.1.0"
}
