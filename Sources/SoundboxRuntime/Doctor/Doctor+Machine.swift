import Glibc
import SoundboxCore
import SoundboxPlatform

// The journal's place, the clock, the disk, and what a Raspberry Pi says of its power.

extension Doctor {
    mutating func checkJournal() {
        let folder = stateDirectory
        let journal = configuration.journalFile
        guard File.exists(folder) else {
            return found(.warning, "journal", "\(folder) is not there yet: the service makes it", remedy: nil)
        }
        var space = statvfs()
        guard statvfs(folder, &space) == 0 else {
            return found(.error, "journal", "\(SystemError("look at \(folder)"))", remedy: "ls -ld \(folder)")
        }
        let free = Int(space.f_bavail) * Int(space.f_frsize) / 1_048_576
        if space.f_flag & UInt(ST_RDONLY) != 0 {
            found(
                .error, "journal", "\(folder) is read-only: nothing is durable",
                remedy: "mount -o remount,rw; a worn-out card does this by itself: dmesg")
        } else if free < 64 {
            found(
                free < 8 ? .error : .warning, "journal", "\(folder) has \(free) MB left",
                remedy: "journalctl --vacuum-size=50M; apt-get clean")
        } else if let size = try? File.size(of: journal) {
            found(.ok, "journal", "\(journal): \(size / 1024) kB, \(free) MB free")
        } else {
            found(.ok, "journal", "none yet; \(free) MB free at \(folder)")
        }
        if let names = try? File.names(in: folder, suffix: ""), names.contains(where: { $0.contains(".corrupt-") }) {
            found(
                .warning, "journal", "a damaged journal was moved aside in \(folder)",
                remedy: "look at the card, dmesg; then remove \(journal).corrupt-*")
        }
    }

    mutating func checkClock() {
        if SystemClock.isSynchronised {
            found(.ok, "clock", "synchronised, \(SystemClock.wall.text)")
        } else {
            found(
                .warning, "clock", "not synchronised, \(SystemClock.wall.text): nothing is called late",
                remedy: "timedatectl set-ntp true; timedatectl timesync-status")
        }
    }

    mutating func checkMachine() {
        // Raspberry Pi's firmware: bits 0 to 3 are now, 16 to 19 since boot. The file is the kernel's raspberrypi driver's.
        if let text = try? File.read("/sys/devices/platform/soc/soc:firmware/get_throttled", limit: 64),
            let bits = UInt32(String(decoding: text, as: UTF8.self).filter(\.isHexDigit), radix: 16)
        {
            if bits & 0x1 != 0 {
                found(
                    .error, "power", "under-voltage now: sound and card may break",
                    remedy: "a supply of 5.1 V, 2.5 A or more")
            } else if bits & 0x1_0000 != 0 {
                found(.warning, "power", "under-voltage since the start", remedy: "a supply of 5.1 V, 2.5 A or more")
            } else {
                found(.ok, "power", "enough")
            }
            if bits & 0xE != 0 {
                found(
                    .warning, "heat", "the processor is slowed down now",
                    remedy: "air around the box: vcgencmd measure_temp")
            }
        }
        if let celsius = MachineFigures.temperature {
            found(
                celsius >= 80 ? .warning : .ok, "heat", "\(celsius) °C",
                remedy: celsius >= 80 ? "air around the box" : nil)
        }
    }
}
