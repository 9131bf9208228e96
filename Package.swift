// swift-tools-version: 6.0
import PackageDescription

/// A C library, imported by exactly one Swift module.
func library(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "soundbox",
    products: [
        .executable(name: "soundbox", targets: ["soundbox"])
    ],
    targets: [
        library("CALSA", pkgConfig: "alsa", package: "libasound2-dev"),
        library("CInih", pkgConfig: "inih", package: "libinih-dev"),
        library("CMosquitto", pkgConfig: "libmosquitto", package: "libmosquitto-dev"),
        library("CSampleRate", pkgConfig: "samplerate", package: "libsamplerate0-dev"),
        library("CSndFile", pkgConfig: "sndfile", package: "libsndfile1-dev"),
        library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        .systemLibrary(name: "CLinux"),

        .target(name: "SoundboxCore"),
        .target(name: "SoundboxAudio", dependencies: ["SoundboxCore", "CALSA", "CLinux", "CSampleRate", "CSndFile"]),
        .target(name: "SoundboxJournal", dependencies: ["SoundboxCore", "CLinux", "CSQLite"]),
        .target(name: "SoundboxMQTT", dependencies: ["SoundboxCore", "CLinux", "CMosquitto"]),
        .target(
            name: "SoundboxRuntime",
            dependencies: ["SoundboxCore", "SoundboxAudio", "SoundboxJournal", "SoundboxMQTT", "CInih", "CLinux"]),
        .executableTarget(name: "soundbox", dependencies: ["SoundboxRuntime"]),

        .target(name: "TestBroker", path: "Tests/Support/TestBroker"),
        .testTarget(name: "SoundboxCoreTests", dependencies: ["SoundboxCore"]),
        .testTarget(name: "SoundboxAudioTests", dependencies: ["SoundboxAudio"]),
        .testTarget(name: "SoundboxJournalTests", dependencies: ["SoundboxJournal", "TestBroker"]),
        .testTarget(name: "SoundboxMQTTTests", dependencies: ["SoundboxMQTT", "TestBroker"]),
        .testTarget(name: "SoundboxRuntimeTests", dependencies: ["SoundboxRuntime"]),
        .testTarget(name: "EndToEndTests", dependencies: ["SoundboxRuntime"]),
    ]
)
