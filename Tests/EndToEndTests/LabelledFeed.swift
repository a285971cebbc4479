import Foundation
import MediaCore
import TestSupport
import Testing

/// The sample for eighty seconds from now on, each picture labelled with its time of day.
///
/// Any number of encoders send it: they share the labels, and neither timestamps nor punctuality.
final class LabelledFeed: Sendable {
    /// The rate and the counting of frames.
    struct Counting: Sendable, CustomTestStringConvertible {
        var rate: Ratio
        /// Labels of a second.
        var framesPerSecond: Int64
        var isDropFrame = false

        static let pal = Counting(rate: Ratio(25, 1), framesPerSecond: 25)
        static let ntsc = Counting(rate: Ratio(30_000, 1001), framesPerSecond: 30, isDropFrame: true)

        var testDescription: String { "\(rate.numerator)/\(rate.denominator)" }

        /// In 90 kHz ticks.
        var frameDuration: Int64 { 90_000 * Int64(rate.denominator) / Int64(rate.numerator) }

        /// SMPTE ST 12-1: drop-frame counting leaves out 18 labels in ten minutes.
        var framesPerDay: Int64 { 144 * (600 * framesPerSecond - (isDropFrame ? 18 : 0)) }

        /// The label of a frame since some midnight.
        func label(_ frame: Int64) -> TimecodeInserter.Timestamp {
            var number = (frame + framesPerDay) % framesPerDay
            if isDropFrame {
                // Of 17,982 frames in ten minutes, the first minute has 1,800 and the others two less.
                let (tens, rest) = number.quotientAndRemainder(dividingBy: 17_982)
                number += 18 * tens + (rest < 1_800 ? 0 : 2 * ((rest - 1_800) / 1_798 + 1))
            }
            let seconds = number / framesPerSecond
            return .init(
                hours: Int(seconds / 3_600),
                minutes: Int(seconds / 60 % 60),
                seconds: Int(seconds % 60),
                frames: Int(number % framesPerSecond),
                isDropFrame: isDropFrame
            )
        }
    }

    /// The time when the first picture is due.
    let start: Date
    /// Midnight of UTC, in seconds since 1970.
    private let midnight: Int64
    /// Frames from that to the first picture.
    private let first: Int64
    /// Frames from local midnight to it.
    private let firstLabel: Int64
    private let counting: Counting
    /// The seconds by which labels are ahead of UTC.
    let zone: Int64
    private let file: String
    private let directory: TemporaryDirectory
    /// The picture that carries a message.
    private let pictures: [[UInt8]: Int]

    /// Encodes it.
    ///
    /// - Parameters:
    ///   - counting: How frames are counted.
    ///   - zone: What labels are ahead of UTC, in seconds; it is told when the first picture is due, since 1970.
    ///   - isLabelled: Which pictures have a label, counted from 0 in order of presentation.
    /// - Throws: What FFmpeg finds wrong.
    init(
        _ counting: Counting = .pal,
        zone: (_ start: Int64) -> Int64 = { _ in 0 },
        isLabelled: @escaping @Sendable (Int) -> Bool = { _ in true }
    ) async throws {
        let directory = try TemporaryDirectory()
        let rounds = [String](repeating: "file '\(Repository.feed)'\nduration 8.0\n", count: 10).joined()
        let sample = ["-f", "concat", "-safe", "0", "-i", try directory.write(rounds, to: "rounds.txt")]
        let (rate, options) = ("\(counting.rate.numerator)/\(counting.rate.denominator)", ["-v", "error", "-nostdin"])
        // Two B pictures between others, whatever is to be seen, so that the order of presentation is known.
        let structure = "b-adapt=0:open-gop=0:slices=1:aud=1:pic-struct=1"
        try await Program.run(
            "ffmpeg",
            options + sample + [
                "-map", "0:v", "-r", rate, "-c:v", "libx264", "-preset", "ultrafast", "-crf", "35", "-bf", "2", "-g",
                "25", "-keyint_min", "25", "-sc_threshold", "0", "-x264-params", structure, directory.file("bare.h264"),
            ]
        )
        // The first key frame is off the grid, and what follows takes its time.
        let epoch = Int64(Date.now.timeIntervalSince1970) + 5
        midnight = epoch / 86_400 * 86_400
        first = (epoch - midnight) * Int64(counting.rate.numerator) / Int64(counting.rate.denominator) + 7
        start = Date(timeIntervalSince1970: Double(epoch))
        (self.counting, self.zone, self.directory) = (counting, zone(epoch), directory)
        let firstLabel = first + self.zone * Int64(counting.rate.numerator) / Int64(counting.rate.denominator)
        self.firstLabel = firstLabel
        let bare = Array(try Data(contentsOf: URL(filePath: directory.file("bare.h264"))))
        let inserter = TimecodeInserter()
        let labelled = inserter.insert(into: bare) { decoded in
            let picture = Self.picture(decoded: decoded)
            return isLabelled(picture) ? counting.label(firstLabel + Int64(picture)) : nil
        }
        try Data(labelled).write(to: URL(filePath: directory.file("labelled.h264")))
        let place = "N-mod(N\\,25)+if(mod(N\\,25)\\,3*floor((mod(N\\,25)-1)/3)+1+mod(mod(N\\,25)+1\\,3)\\,0)"
        let times = "setts=dts=(N-1)*\(counting.frameDuration):pts=(\(place))*\(counting.frameDuration)"
        file = directory.file("labelled.ts")
        try await Program.run(
            "ffmpeg",
            options + ["-framerate", rate, "-i", directory.file("labelled.h264")] + sample + [
                "-map", "0:v", "-map", "1:a", "-c", "copy", "-bsf:v", times, file,
            ]
        )
        let messages = (0..<80 * 30).map { (inserter.message(counting.label(firstLabel + Int64($0))), $0) }
        pictures = Dictionary(messages) { first, _ in first }
    }

    func label(of picture: Int) -> TimecodeInserter.Timestamp {
        counting.label(firstLabel + Int64(picture))
    }

    /// UTC of a picture.
    func time(of picture: Int) -> MediaTime {
        let ticks = (first + Int64(picture)) * counting.frameDuration
        return MediaTime(seconds: midnight) + MediaTime(ticks: ticks)
    }

    /// The pictures that a segment of clear video has, in order of decoding: nil for each that has no label.
    func pictures(in segment: Data) -> [Int?] {
        let bytes = [UInt8](segment)
        guard let media = segment.firstRange(of: Data("mdat".utf8)) else { return [] }
        var (position, found, label) = (media.upperBound, [Int?](), Int?.none)
        while position + 4 < bytes.count {
            let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            let nalUnit = bytes[position + 4..<min(bytes.count, position + 4 + size)]
            label = pictures[Array(nalUnit)] ?? label
            // The slices of a picture follow its messages, and here it has but one (ISO/IEC 14496-10 table 7-1).
            if let type = nalUnit.first.map({ $0 & 0x1F }), type == 1 || type == 5 {
                found.append(label)
                label = nil
            }
            position += 4 + size
        }
        return found
    }

    /// Starts an encoder, once the first picture is due.
    ///
    /// - Parameters:
    ///   - port: Where it sends to.
    ///   - timestampOffset: What is added to all its timestamps, in seconds.
    /// - Returns: What sends.
    /// - Throws: If FFmpeg is not installed.
    func encoder(port: Int, timestampOffset: Int) async throws -> UnpunctualSender {
        _ = try await eventually(within: 60, "the first picture is due") { Date.now >= start ? true : nil }
        return UnpunctualSender(
            try Program(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-re", "-i", file, "-map", "0", "-c", "copy", "-output_ts_offset",
                    "\(timestampOffset)", "-f", "mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316",
                ]
            )
        )
    }

    /// I0 P3 B1 B2 P6 B4 B5, in groups of 25.
    private static func picture(decoded: Int) -> Int {
        let (group, place) = decoded.quotientAndRemainder(dividingBy: 25)
        return group * 25 + (place == 0 ? 0 : (place - 1) / 3 * 3 + [3, 1, 2][(place - 1) % 3])
    }
}
