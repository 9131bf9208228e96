/// What will be heard, in order: recordings and the pauses between them.
///
/// A plan is whole: the audio engine adds no pause of its own and leaves none out, so the samples of an announcement
/// follow from its plan alone.
public struct ClipPlan: Equatable, Sendable {
    /// One piece of sound.
    public enum Step: Equatable, Sendable {
        /// A recording, by its index in ``VoicePack/clips``.
        case clip(Int)
        /// Silence, in milliseconds.
        case pause(Int)
        /// A sound of the box's own.
        case tone(Tone)
    }

    /// Sounds that no voice pack has to bring along.
    public enum Tone: Int, CaseIterable, Sendable {
        /// A press was felt.
        case tick
        /// Something is being counted.
        case chime
    }

    /// The words, as a person reads them.
    public var text: String
    /// The pieces of sound, in order.
    public var steps: [Step]

    /// A plan of `steps` that says `text`.
    public init(text: String, steps: [Step]) {
        self.text = text
        self.steps = steps
    }
}
