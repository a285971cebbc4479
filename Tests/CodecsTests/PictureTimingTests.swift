import MediaCore
import TestSupport
import Testing

@testable import Codecs

struct PictureTimingTests {
    private static let plain = TimecodeInserter()

    private static func syntax(delayBits: Int = 0, timeOffsetBits: Int = 24) -> PictureTiming.Syntax {
        var syntax = PictureTiming.Syntax()
        syntax.delayBits = delayBits
        syntax.timeOffsetBits = timeOffsetBits
        syntax.hasPictureStructure = true
        return syntax
    }

    @Test(arguments: [(0, 24), (0, 0), (48, 24), (64, 31), (2, 5)])
    func timecodeIsReadWithAnyStatedLengths(delayBits: Int, timeOffsetBits: Int) throws {
        let inserter = TimecodeInserter(delayBits: delayBits, timeOffsetBits: timeOffsetBits)
        var timestamp = ClockTimestamp()
        let message = inserter.message(.init(hours: 23, minutes: 59, seconds: 58, frames: 24))
        let timecode = try PictureTiming.timecode(
            in: message.span.bytes,
            syntax: Self.syntax(delayBits: delayBits, timeOffsetBits: timeOffsetBits),
            timestamp: &timestamp
        )
        #expect(timecode?.description == "23:59:58:24")
    }

    @Test func whatIsLeftOutIsAsBefore() throws {
        var timestamp = ClockTimestamp()
        func read(_ hours: Int?, _ minutes: Int?, _ seconds: Int?, _ frames: Int) throws -> String? {
            let message = Self.plain.message(.init(hours: hours, minutes: minutes, seconds: seconds, frames: frames))
            return try PictureTiming.timecode(in: message.span.bytes, syntax: Self.syntax(), timestamp: &timestamp)?
                .description
        }
        #expect(try read(nil, nil, nil, 7) == nil)
        #expect(try read(nil, nil, 58, 8) == nil)
        #expect(try read(nil, 59, 59, 24) == nil)
        #expect(try read(10, 59, 59, 24) == "10:59:59:24")
        #expect(try read(nil, nil, nil, 7) == "10:59:59:07")
        #expect(try read(nil, nil, 3, 8) == "10:59:03:08")
        #expect(try read(nil, 4, 0, 0) == "10:04:00:00")
        #expect(try read(11, 0, 0, 0) == "11:00:00:00")
    }

    @Test(arguments: [(24, 0, 0), (0, 60, 0), (0, 0, 60), (31, 63, 63)])
    func whatIsNoTimeOfDayIsNoLabel(hours: Int, minutes: Int, seconds: Int) throws {
        var timestamp = ClockTimestamp()
        let message = Self.plain.message(.init(hours: hours, minutes: minutes, seconds: seconds, frames: 0))
        let timecode = try PictureTiming.timecode(
            in: message.span.bytes,
            syntax: Self.syntax(),
            timestamp: &timestamp
        )
        #expect(timecode == nil)
    }

    @Test(
        arguments: [
            // No clock timestamps; none in a frame that is repeated; another message; pic_struct without timestamps.
            ("06 0101 08 80", nil), ("06 0101 84 80", nil), ("06 0601c4 80", nil), ("06", nil), ("06 80", nil),
            // The second of a top and a bottom field has one: 3, then 0, then 1.
            ("06 0108 32 41 24 00 00 00 00 40 80", nil),
            ("06 0109 314082185ddd40000080 80", nil),
        ] as [(String, String?)]
    )
    func messagesWithoutATimeHaveNoTimecode(hex: String, expected: String?) throws {
        var timestamp = ClockTimestamp()
        let timecode = try? PictureTiming.timecode(
            in: [UInt8](hex: hex).span.bytes,
            syntax: Self.syntax(),
            timestamp: &timestamp
        )
        #expect(timecode?.description == expected)
    }

    @Test func aReservedPictureStructureIsAnError() {
        var timestamp = ClockTimestamp()
        #expect(throws: CodecError.invalid("pic_struct")) {
            try PictureTiming.timecode(
                in: ([0x06, 0x01, 0x01, 0x90, 0x80] as [UInt8]).span.bytes,
                syntax: Self.syntax(),
                timestamp: &timestamp
            )
        }
    }

    @Test func aMessageThatEndsWithinItsTimestampChangesNothing() throws {
        let message = Self.plain.message(.init(hours: 10, minutes: 59, seconds: 59, frames: 24))
        for size in UInt8(1)..<message[2] {
            var timestamp = ClockTimestamp()
            var bytes = message
            bytes[2] = size
            #expect(throws: CodecError.truncated) {
                try PictureTiming.timecode(in: bytes.span.bytes, syntax: Self.syntax(), timestamp: &timestamp)
            }
            #expect(timestamp == ClockTimestamp())
        }
    }

    @Test func damagedMessages() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<5_000 {
            let delayBits = Int.random(in: 0...64, using: &generator)
            let timeOffsetBits = Int.random(in: 0...31, using: &generator)
            let inserter = TimecodeInserter(delayBits: delayBits, timeOffsetBits: timeOffsetBits)
            let message = inserter.message(.init(hours: 10, minutes: 59, seconds: 59, frames: 24))
            let bytes = message.mutated(using: &generator)
            var timestamp = ClockTimestamp()
            let syntax = Self.syntax(delayBits: delayBits, timeOffsetBits: timeOffsetBits)
            guard
                let timecode = try? PictureTiming.timecode(in: bytes.span.bytes, syntax: syntax, timestamp: &timestamp)
            else { continue }
            #expect(timecode.hours < 24 && timecode.minutes < 60 && timecode.seconds < 60 && timecode.frames < 256)
        }
    }

    /// x264 writes the stream, this project's tests the labels, and FFmpeg says what they are.
    @Test(arguments: [
        ("25", false, "pic-struct=1"),
        ("30000/1001", true, "pic-struct=1"),
        ("50", false, "pic-struct=1:nal-hrd=vbr:vbv-maxrate=2000:vbv-bufsize=2000"),
        ("60000/1001", true, "pic-struct=1:nal-hrd=cbr:vbv-maxrate=2000:vbv-bufsize=1000"),
        ("24000/1001", false, "pic-struct=1:nal-hrd=vbr:vbv-maxrate=900:vbv-bufsize=2000"),
    ])
    func readsWhatFFmpegReads(rate: String, isDropFrame: Bool, parameters: String) async throws {
        let options = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-x264-params", parameters]
        let stream = try await FFmpegTimecodes.encode(rate: rate, options, format: "h264")
        var plain = try AVCAccessUnitReader(header: [])
        _ = try plain.read(stream)
        let sps = try #require(plain.configuration?.sequenceParameterSets.first)
        let syntax = try SequenceParameterSet(sps.span.bytes).usability.pictureTiming
        #expect(syntax.hasPictureStructure)
        #expect((syntax.delayBits > 0) == parameters.contains("hrd"))

        let inserter = TimecodeInserter(delayBits: syntax.delayBits, timeOffsetBits: syntax.timeOffsetBits)
        let labelled = inserter.insert(into: stream) { picture in
            picture % 5 == 4
                ? nil
                : .init(
                    hours: 10 + picture,
                    minutes: 59,
                    seconds: 4 * picture,
                    frames: 12 + picture,
                    isDropFrame: isDropFrame
                )
        }
        let expected = try await FFmpegTimecodes.read(labelled, rate: rate, format: "h264")

        var reader = try AVCAccessUnitReader(header: [])
        reader.wantsTimecode = true
        let found = try pictures(of: labelled).map { try reader.read($0).timecode }
        #expect(found.count == 12)
        #expect(found.map { $0?.description } == expected)
        #expect(found.compactMap(\.self).allSatisfy { $0.frameRate == plain.configuration?.picture.frameRate })
        reader.wantsTimecode = false
        #expect(try reader.read(labelled).timecode == nil)
    }

    /// The access units of a stream whose pictures are one slice each.
    private func pictures(of stream: [UInt8]) throws -> [[UInt8]] {
        var pictures: [[UInt8]] = [[]]
        var nalUnits = NALUnits(stream.span.bytes, framing: .startCodes)
        while let nalUnit = try nalUnits.next() {
            let bytes = nalUnit.withUnsafeBytes { Array($0) }
            pictures[pictures.count - 1] += annexB(bytes)
            if NALUnitType(header: bytes[0]).isVCL { pictures.append([]) }
        }
        return pictures.dropLast()
    }
}
