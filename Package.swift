// swift-tools-version: 6.0
import PackageDescription

/// A C library, imported by exactly one Swift module.
func library(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "soundbox",
    products: [
        .executable(name: "soundbox", targets: ["soundbox"]),
        // Preloaded by tests into the daemon.
        .library(name: "SlowDisk", type: .dynamic, targets: ["CSlowDisk"]),
    ],
    targets: [
        library("CALSA", pkgConfig: "alsa", package: "libasound2-dev"),
        library("CCrypto", pkgConfig: "libcrypto", package: "libssl-dev"),
        library("CEbur128", pkgConfig: "libebur128", package: "libebur128-dev"),
        library("CGPIOD", pkgConfig: "libgpiod", package: "libgpiod-dev"),
        library("CInih", pkgConfig: "inih", package: "libinih-dev"),
        library("CMosquitto", pkgConfig: "libmosquitto", package: "libmosquitto-dev"),
        library("CSndFile", pkgConfig: "sndfile", package: "libsndfile1-dev"),
        library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        .systemLibrary(name: "CLinux"),

        .target(name: "SoundboxCore"),
        .target(name: "SoundboxPlatform", dependencies: ["SoundboxCore", "CLinux"]),
        .target(
            name: "SoundboxAudio",
            dependencies: [
                "SoundboxCore", "SoundboxPlatform", "CALSA", "CEbur128", "CLinux", "CSndFile",
            ]),
        .target(name: "SoundboxGPIO", dependencies: ["SoundboxPlatform", "CGPIOD", "CLinux"]),
        .target(name: "SoundboxJournal", dependencies: ["SoundboxCore", "SoundboxPlatform", "CLinux", "CSQLite"]),
        .target(name: "SoundboxMQTT", dependencies: ["SoundboxCore", "SoundboxPlatform", "CLinux", "CMosquitto"]),
        .target(name: "SoundboxTrust", dependencies: ["SoundboxCore", "CCrypto"]),
        .target(
            name: "SoundboxRuntime",
            dependencies: [
                "SoundboxCore", "SoundboxPlatform", "SoundboxAudio", "SoundboxGPIO", "SoundboxJournal",
                "SoundboxMQTT", "SoundboxTrust", "CInih",
            ]),
        .executableTarget(
            name: "soundbox",
            dependencies: [
                "SoundboxCore", "SoundboxAudio", "SoundboxJournal", "SoundboxPlatform", "SoundboxRuntime",
                "SoundboxTrust", "CLinux",
            ]),

        // What `make bench` measures the journal with.
        .executableTarget(
            name: "JournalBench", dependencies: ["SoundboxCore", "SoundboxJournal", "SoundboxPlatform"],
            path: "bench/journal"),

        .target(name: "TestBroker", dependencies: ["SoundboxMQTT"], path: "Tests/Support/TestBroker"),
        .target(name: "TestSupport", path: "Tests/Support/TestSupport"),
        .target(name: "TestVoice", dependencies: ["SoundboxCore"], path: "Tests/Support/TestVoice"),
        .target(name: "CAllocationCounter", path: "Tests/Support/CAllocationCounter"),
        .target(name: "CSlowDisk", path: "Tests/Support/CSlowDisk"),
        .testTarget(name: "SoundboxCoreTests", dependencies: ["SoundboxCore", "TestSupport", "TestVoice"]),
        .testTarget(
            name: "SoundboxAudioTests",
            dependencies: ["SoundboxAudio", "TestSupport", "TestVoice", "CAllocationCounter", "CALSA", "CSndFile"]),
        .testTarget(name: "SoundboxGPIOTests", dependencies: ["SoundboxGPIO", "TestSupport", "CLinux"]),
        .testTarget(
            name: "SoundboxJournalTests", dependencies: ["SoundboxJournal", "CSQLite", "TestBroker", "TestSupport"]),
        .testTarget(name: "SoundboxMQTTTests", dependencies: ["SoundboxMQTT", "TestBroker"]),
        .testTarget(name: "SoundboxTrustTests", dependencies: ["SoundboxTrust", "SoundboxCore"]),
        .testTarget(name: "SoundboxRuntimeTests", dependencies: ["SoundboxRuntime", "TestSupport"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "soundbox", "SoundboxAudio", "SoundboxJournal", "SoundboxMQTT", "SoundboxRuntime",
                "TestBroker", "TestSupport", "TestVoice",
            ]),
    ]
)
