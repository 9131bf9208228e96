import CSndFile
import Foundation
import SoundboxCore
import TestSupport
import Testing

@testable import SoundboxAudio

extension TemporaryFolder {
    /// Writes a file of sound in any of libsndfile's formats.
    func write(
        _ name: String, _ samples: [Int16], rate: Int = 48000, channels: Int = 1,
        format: Int = SF_FORMAT_WAV | SF_FORMAT_PCM_16
    ) throws {
        var info = SF_INFO()
        info.samplerate = Int32(rate)
        info.channels = Int32(channels)
        info.format = Int32(format)
        let file = try #require(sf_open("\(path)/\(name)", Int32(SFM_WRITE), &info))
        let frames = sf_count_t(samples.count / channels)
        #expect(sf_writef_short(file, samples, frames) == frames)
        sf_close(file)
    }

    /// Writes a mono WAV file of floats.
    func write(_ name: String, floats: [Double], rate: Int) throws {
        var info = SF_INFO()
        info.samplerate = Int32(rate)
        info.channels = 1
        info.format = Int32(SF_FORMAT_WAV | SF_FORMAT_FLOAT)
        let file = try #require(sf_open("\(path)/\(name)", Int32(SFM_WRITE), &info))
        #expect(sf_writef_double(file, floats, sf_count_t(floats.count)) == sf_count_t(floats.count))
        sf_close(file)
    }

    /// A bank of these clips, through files.
    func bank(_ clips: [[Int16]], sourceRate: Int = 48000, rate: Int = 48000) throws -> ClipBank {
        let files = clips.indices.map { "\($0).wav" }
        for (file, clip) in zip(files, clips) { try write(file, clip, rate: sourceRate) }
        return try ClipBank(folder: path, files: files, sourceRate: sourceRate, rate: rate)
    }
}

extension [Int16] {
    /// Low enough for the wave between the samples to stay below full scale.
    static func noise(_ count: Int, seed: UInt64) -> [Int16] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Int16.random(in: -8000...8000, using: &generator) }
    }
}

extension ClipPlan {
    init(_ steps: Step...) {
        self.init(text: "", steps: steps)
    }
}

extension AudioEngine {
    /// Waits for events until one of them is the wanted one; gives up where nothing comes for a long time.
    func wait(_ isWanted: (AudioEvent) -> Bool) -> [AudioEvent] {
        var all: [AudioEvent] = []
        while true {
            var descriptors = pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptors, 1, 60_000) == 1 else {
                Issue.record("no event for a minute; so far \(all)")
                return all
            }
            let new = events()
            all += new
            if new.contains(where: isWanted) { return all }
        }
    }

    func wait(forEndOf id: UInt64) -> [AudioEvent] {
        wait { $0 == .ended(id: id) }
    }
}

extension AudioEvent {
    /// The event without what differs from run to run.
    var name: String {
        switch self {
        case .began(let id, _): "began \(id)"
        case .ended(let id): "ended \(id)"
        case .stopped(let id): "stopped \(id)"
        case .underrun: "underrun"
        case .lost(let error): "lost \(error.operation)"
        case .opened: "opened"
        }
    }

    var isOpened: Bool {
        if case .opened = self { true } else { false }
    }

    var isLost: Bool {
        if case .lost = self { true } else { false }
    }
}
