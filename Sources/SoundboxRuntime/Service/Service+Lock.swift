import SoundboxPlatform

// Two daemons on one journal and one client id would throw each other out of the broker for ever.

extension Service {
    /// The file that the running daemon holds locked.
    static func lockFile(in stateDirectory: String) -> String { "\(stateDirectory)/lock" }

    /// The lock of a box's state; nil where there is nothing to write to, since such a box still speaks.
    static func lock(_ stateDirectory: String) throws(ServiceError) -> ProcessLock? {
        do throws(ProcessLock.Refusal) {
            return try ProcessLock(lockFile(in: stateDirectory))
        } catch {
            guard case .held(let process) = error else { return nil }
            throw ServiceError(description: "\(stateDirectory) is in use by process \(process)")
        }
    }
}
