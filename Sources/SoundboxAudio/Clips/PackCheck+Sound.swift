import SoundboxCore

extension PackCheck {
    /// Measures each file once, and notes those that are no clips of this pack.
    mutating func measure(_ pack: VoicePack, _ folder: String) -> [(file: String, sound: ClipMeasurement)] {
        var sounds: [(file: String, sound: ClipMeasurement)] = []
        var isGood = true
        for name in Set(pack.clips.map(\.file)).sorted() {
            let file = "clips/\(name)"
            do throws(ClipError) {
                let sound = try ClipMeasurement(of: "\(folder)/\(file)")
                var problem: ClipError.Problem?
                if sound.channels != 1 { problem = .channels(sound.channels) }
                if sound.rate != pack.rate { problem = .rate(sound.rate, expected: pack.rate) }
                if sound.frames == 0 { problem = .empty }
                if sound.frames > ClipBank.longestClip * sound.rate {
                    problem = .tooLong(seconds: sound.frames / sound.rate)
                }
                if let problem { throw ClipError(file: "", problem: problem) }
                sounds.append((file, sound))
            } catch {
                isGood = false
                add(.error, "format", file, ClipError(file: "", problem: error.problem).description)
            }
        }
        if isGood {
            let seconds = sounds.reduce(0) { $0 + Double($1.sound.frames) / Double($1.sound.rate) }
            add(
                .ok, "format", "clips", "\(sounds.count) mono files of \(pack.rate) Hz, \(seconds.text(1)) s",
                value: Double(pack.rate), limit: Double(pack.rate), unit: "Hz")
        }
        return sounds
    }

    mutating func checkClips(_ sounds: [(file: String, sound: ClipMeasurement)]) {
        func values(_ value: (ClipMeasurement) -> Double) -> [(file: String, value: Double)] {
            sounds.map { ($0.file, value($0.sound)) }
        }
        hold(
            "dc", values(\.offset), magnitude: true, warning: PackLimits.offset.warning, error: PackLimits.offset.error,
            unit: "of full scale", digits: 4, "the mean of the samples is")
        hold(
            "clipping", values { Double($0.clippedRun) }, error: Double(PackLimits.clippedRun - 1), unit: "samples",
            digits: 0, "in a row at full scale:")
        hold("true-peak", values(\.truePeak), error: PackLimits.truePeak, unit: "dBTP", digits: 2, "the true peak is")
        hold(
            "silence", values { max($0.leadingSilence, $0.trailingSilence) }, error: PackLimits.silence, unit: "ms",
            "the longer silence at an end is")
        hold(
            "click", values { max($0.firstStep, $0.lastStep) }, warning: PackLimits.step.warning,
            error: PackLimits.step.error, unit: "of full scale", digits: 4, "the larger step at an end is")
        let levels = sounds.compactMap { item in item.sound.loudness.map { (file: item.file, loudness: $0) } }
        for item in sounds where item.sound.loudness == nil { add(.error, "level", item.file, "is silent") }
        guard let median = levels.map(\.loudness).median else { return }
        hold(
            "level", levels.map { ($0.file, $0.loudness - median) }, magnitude: true,
            warning: PackLimits.clipDeviation.warning, error: PackLimits.clipDeviation.error, unit: "LU",
            "away from the median clip, \(median.text(1)) LUFS:")
    }

    /// Whole announcements of each channel, since a single word is too short for a loudness.
    mutating func checkSentences(_ pack: VoicePack, _ bank: ClipBank) {
        let planner = Planner(pack: pack)
        var means: [(file: String, value: Double)] = []
        var sentences: [(file: String, value: Double)] = []
        for key in pack.phraseKeys where pack.saysAmount(key) {
            var sum = 0.0
            var count = 0
            for currency in pack.currencies(of: pack.defaultStyle).compactMap({ Currency(code: $0) }) {
                for units in PackLimits.sampleAmounts {
                    guard let amount = Amount(minorUnits: units, currency: currency),
                        let plan = try? planner.plan(.phrase(key, .init(amount: amount))),
                        let loudness = (try? bank.render(plan, volume: 100)).flatMap(bank.loudness(of:))
                    else { continue }
                    sentences.append(("\(key) \"\(plan.text)\"", loudness - PackLimits.sentenceLoudness))
                    sum += loudness
                    count += 1
                }
            }
            if count > 0 { means.append((key, sum / Double(count) - PackLimits.sentenceLoudness)) }
        }
        let target = "\(PackLimits.sentenceLoudness.text(0)) LUFS"
        hold(
            "loudness", means, magnitude: true, error: PackLimits.meanDeviation, unit: "LU", digits: 2,
            "the mean of its sentences, away from \(target):")
        hold(
            "sentence", sentences, magnitude: true, warning: PackLimits.sentenceDeviation.warning,
            error: PackLimits.sentenceDeviation.error, unit: "LU", digits: 2, "away from \(target):")
    }
}

extension [Double] {
    /// The middle one; nil of none.
    fileprivate var median: Double? {
        isEmpty ? nil : sorted()[count / 2]
    }
}
