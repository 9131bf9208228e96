import CALSA
import CLinux
import Glibc

/// Keeps the audio thread from waiting for the disk: locks what the process has, and what it will have once it is
/// touched, so that the locked memory does not grow beyond the used. mlockall(2). Returns errno, 0 where it is done.
func lockMemory() -> Int32 {
    guard soundbox_may_lock_memory() != 0 else { return EPERM }
    return mlockall(Int32(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) == 0 ? 0 : errno
}

/// One line about what the machine did not permit, or nil.
func realTimeWarning(scheduling: Int32, memory: Int32) -> String? {
    var reasons: [String] = []
    if scheduling != 0 { reasons.append("real-time priority (\(String(cString: snd_strerror(-scheduling))))") }
    if memory != 0 { reasons.append("locked memory (\(String(cString: snd_strerror(-memory))))") }
    guard !reasons.isEmpty else { return nil }
    return "sound may break while the machine is busy: no \(reasons.joined(separator: ", no "))"
}
