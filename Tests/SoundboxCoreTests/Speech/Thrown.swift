/// The error of this type that `body` throws, to look into it; nil where it throws another or none.
func thrown<Failure: Error>(_ type: Failure.Type, by body: () throws -> Void) -> Failure? {
    do {
        try body()
        return nil
    } catch {
        return error as? Failure
    }
}
