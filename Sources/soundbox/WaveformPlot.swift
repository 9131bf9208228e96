import SoundboxAudio
import SoundboxCore

/// The waveform of an announcement as SVG, with its clips and joins, so that a bad joint can be seen.
struct WaveformPlot {
    /// The picture.
    let svg: String

    private static let pixelsPerSecond = 320.0
    /// Half the height of the waveform.
    private static let height = 110.0
    private static let margin = 44.0
    private static let row = 15.0

    private struct Label {
        var text: String
        var center: Double
        var size: Double
        var color: String
        var row = 0

        /// Han characters are as wide as they are high, others about half.
        var width: Double { text.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E80 ? 1 : 0.58) * size } + 6 }
    }

    /// - Parameter samples: the announcement as `bank` renders `plan`.
    init(_ samples: [Int16], of plan: ClipPlan, bank: ClipBank, pack: VoicePack) throws(ClipError) {
        func x(_ frame: Int) -> Double { Self.margin + Double(frame) / Double(bank.rate) * Self.pixelsPerSecond }
        var words: [Label] = []
        var files: [Label] = []
        var spans = ""
        var pauses: [Label] = []
        var joins: [Double] = []
        var start = 0
        var count = 0
        for (step, end) in zip(plan.steps, try bank.ends(of: plan)) {
            let (left, right) = (x(start), x(end))
            switch step {
            case .clip(let index):
                let clip = pack.clips[index]
                let color = count % 2 == 0 ? "#e8f0fa" : "#d6e4f5"
                spans += Self.rectangle(left, right, color)
                words.append(Label(text: clip.words, center: (left + right) / 2, size: 13, color: "#12233a"))
                files.append(Label(text: clip.file, center: (left + right) / 2, size: 9, color: "#5a6b80"))
                joins += [left, right]
                count += 1
            case .pause(let milliseconds):
                spans += Self.rectangle(left, right, "#f6f1e4")
                if right - left > 24 {
                    pauses.append(
                        Label(text: "\(milliseconds) ms", center: (left + right) / 2, size: 9, color: "#8a7a4d"))
                }
            case .tone: break
            }
            start = end
        }
        let width = x(samples.count) + Self.margin
        let above = Self.place(&words, within: width)
        let below = Self.place(&files, within: width)
        let top = 38 + Double(above) * Self.row
        let middle = top + Self.height
        let bottom = middle + Self.height
        let axis = bottom + 14 + Double(below) * Self.row * 0.8
        var body =
            "<text x=\"\(Self.margin)\" y=\"20\" font-size=\"15\" fill=\"#12233a\">\(Self.escape(plan.text))</text>"
        body += "<g transform=\"translate(0 \(top.rounded()))\">\(spans)</g>"
        body += Self.grid(top: top, right: x(samples.count))
        for join in joins { body += Self.line(join, top, join, bottom, "#d2483a", "stroke-dasharray=\"3 3\"") }
        body += Self.wave(samples, rate: bank.rate, middle: middle)
        for label in words { body += Self.draw(label, y: top - 8 - Double(label.row) * Self.row) }
        for label in pauses { body += Self.draw(label, y: bottom - 6) }
        for label in files { body += Self.draw(label, y: bottom + 12 + Double(label.row) * Self.row * 0.8) }
        body += Self.axis(samples.count, rate: bank.rate, y: axis)
        svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(width))" height="\(Int(axis) + 34)" \
            font-family="Noto Sans CJK SC, Noto Sans, sans-serif">
            <rect width="100%" height="100%" fill="white"/>
            \(body)
            </svg>

            """
    }

    /// Puts labels into rows so that none covers another, and says how many rows those are.
    private static func place(_ labels: inout [Label], within width: Double) -> Int {
        var ends: [Double] = []
        for index in labels.indices {
            // At the edge a label moves in.
            let half = labels[index].width / 2
            labels[index].center = max(half + 2, min(labels[index].center, width - half - 2))
            let left = labels[index].center - half
            let row = ends.firstIndex { $0 <= left } ?? ends.count
            if row == ends.count { ends.append(0) }
            ends[row] = left + labels[index].width
            labels[index].row = row
        }
        return ends.count
    }

    // MARK: Drawing

    /// The lowest and the highest sample of each half pixel, as one closed shape.
    private static func wave(_ samples: [Int16], rate: Int, middle: Double) -> String {
        let step = max(1, Int(Double(rate) / pixelsPerSecond / 2))
        var upper = ""
        var lower: [String] = []
        for start in stride(from: 0, to: samples.count, by: step) {
            let column = samples[start..<min(start + step, samples.count)]
            let x = number(margin + Double(start) / Double(rate) * pixelsPerSecond)
            func y(_ sample: Int16) -> Double { middle - Double(sample) / 32_768 * height }
            upper += " \(x),\(number(y(column.max() ?? 0) - 0.3))"
            lower.append(" \(x),\(number(y(column.min() ?? 0) + 0.3))")
        }
        return "<polygon fill=\"#1f5fa8\" points=\"\(upper)\(lower.reversed().joined())\"/>\n"
    }

    private static func grid(top: Double, right: Double) -> String {
        var text = ""
        for (part, name) in [(0.0, "0"), (0.5, "−6 dB"), (-0.5, "−6 dB"), (1, "0 dB"), (-1, "0 dB")] {
            let y = top + height - part * height
            text += line(margin, y, right, y, part == 0 ? "#8fa3bb" : "#cbd6e2", "")
            guard part != 0 else { continue }
            text +=
                "<text x=\"\(number(margin - 5))\" y=\"\(number(y + 3))\" font-size=\"9\" text-anchor=\"end\" "
                + "fill=\"#5a6b80\">\(name)</text>"
        }
        return text + "\n"
    }

    /// A tick each tenth of a second, a number each half.
    private static func axis(_ frames: Int, rate: Int, y: Double) -> String {
        let right = margin + Double(frames) / Double(rate) * pixelsPerSecond
        var text = line(margin, y, right, y, "#12233a", "")
        for tenth in 0...(frames * 10 / rate) {
            let x = margin + Double(tenth) / 10 * pixelsPerSecond
            text += line(x, y, x, y + (tenth % 5 == 0 ? 8 : 4), "#12233a", "")
            guard tenth % 5 == 0 else { continue }
            text +=
                "<text x=\"\(number(x))\" y=\"\(number(y + 20))\" font-size=\"10\" text-anchor=\"middle\" "
                + "fill=\"#12233a\">\(tenth / 10).\(tenth % 10) s</text>"
        }
        return text + "\n"
    }

    private static func rectangle(_ left: Double, _ right: Double, _ color: String) -> String {
        "<rect x=\"\(number(left))\" width=\"\(number(right - left))\" height=\"\(number(2 * height))\" fill=\"\(color)\"/>"
    }

    private static func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, _ more: String
    ) -> String {
        "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\" "
            + "stroke=\"\(color)\" \(more)/>"
    }

    private static func draw(_ label: Label, y: Double) -> String {
        "<text x=\"\(number(label.center))\" y=\"\(number(y))\" font-size=\"\(Int(label.size))\" text-anchor=\"middle\" "
            + "fill=\"\(label.color)\">\(escape(label.text))</text>\n"
    }

    /// To a tenth of a pixel.
    private static func number(_ value: Double) -> String {
        "\((value * 10).rounded() / 10)"
    }

    private static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
