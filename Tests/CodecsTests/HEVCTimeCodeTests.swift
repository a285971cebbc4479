import MediaCore
import TestSupport
import Testing

@testable import Codecs

struct HEVCTimeCodeTests {
    /// A prefix SEI NAL unit with a time code of one clock timestamp; what is nil is left out of it.
    private static func message(
        _ hours: Int?,
        _ minutes: Int?,
        _ seconds: Int?,
        _ frames: Int,
        isDropFrame: Bool = false,
        timeOffsetBits: Int = 0
    ) -> [UInt8] {
        var bits = BitWriter()
        bits.write(1, bits: 2)  // num_clock_ts
        bits.write(true)  // clock_timestamp_flag
        bits.write(true)  // units_field_based_flag
        bits.write(isDropFrame ? 4 : 0, bits: 5)  // counting_type
        let isFull = hours != nil && minutes != nil && seconds != nil
        bits.write(isFull)
        bits.write(false)  // discontinuity_flag
        bits.write(isDropFrame)  // cnt_dropped_flag
        bits.write(frames, bits: 9)
        for (value, count) in [(seconds, 6), (minutes, 6), (hours, 5)] {
            if !isFull { bits.write(value != nil) }
            guard let value else { break }
            bits.write(value, bits: count)
        }
        bits.write(timeOffsetBits, bits: 5)
        bits.write(0, bits: timeOffsetBits)
        bits.write(true)  // sei_payload() is aligned to a byte by a one and zeros.
        let payload = bits.bytes
        return ([0x4E, 0x01, 136, UInt8(payload.count)] + payload + [0x80]).escaped
    }

    @Test(arguments: [0, 1, 24, 31])
    func timecodeIsReadAfterATimeOffsetOfAnyLength(bits: Int) throws {
        var timestamp = ClockTimestamp()
        let message = Self.message(23, 59, 58, 300, timeOffsetBits: bits)
        let timecode = try HEVCTimeCode.timecode(in: message.span.bytes, timestamp: &timestamp)
        #expect(timecode?.description == "23:59:58:300")
    }

    @Test func whatIsLeftOutIsAsBefore() throws {
        var timestamp = ClockTimestamp()
        func read(_ message: [UInt8]) throws -> String? {
            try HEVCTimeCode.timecode(in: message.span.bytes, timestamp: &timestamp)?.description
        }
        #expect(try read(Self.message(nil, nil, 1, 7)) == nil)
        #expect(try read(Self.message(10, 59, 58, 6)) == "10:59:58:06")
        #expect(try read(Self.message(nil, nil, nil, 7)) == "10:59:58:07")
        #expect(try read(Self.message(nil, nil, 59, 0)) == "10:59:59:00")
    }

    @Test(arguments: ["4e01", "4e01 80", "4e01 8801 00 80", "4e01 8801 60 80", "4e01 0101 08 80"])
    func messagesWithoutATimeHaveNoTimecode(hex: String) {
        var timestamp = ClockTimestamp()
        #expect((try? HEVCTimeCode.timecode(in: [UInt8](hex: hex).span.bytes, timestamp: &timestamp)) == nil)
    }

    @Test func damagedMessages() {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<5_000 {
            let bytes = Self.message(10, 59, 59, 24, timeOffsetBits: 24).mutated(using: &generator)
            var timestamp = ClockTimestamp()
            guard let timecode = try? HEVCTimeCode.timecode(in: bytes.span.bytes, timestamp: &timestamp) else {
                continue
            }
            #expect(timecode.hours < 24 && timecode.minutes < 60 && timecode.seconds < 60 && timecode.frames < 512)
        }
    }

    /// x265 writes the stream, this test the messages, and FFmpeg says what they are.
    @Test(arguments: [("25", false), ("30000/1001", true), ("60", false)])
    func readsWhatFFmpegReads(rate: String, isDropFrame: Bool) async throws {
        let options = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:bframes=0"]
        let stream = try await FFmpegTimecodes.encode(rate: rate, options, format: "hevc")
        var timestamp = ClockTimestamp()
        var found: [String?] = []
        var labelled: [UInt8] = []
        var nalUnits = NALUnits(stream.span.bytes, framing: .startCodes)
        while let nalUnit = try nalUnits.next() {
            let bytes = nalUnit.withUnsafeBytes { Array($0) }
            // nal_unit_type below 32 is VCL (ISO/IEC 23008-2 Table 7-1).
            if bytes[0] >> 1 & 0x3F < 32 {
                let picture = found.count
                let message = Self.message(10 + picture, 59, 4 * picture, 12 + picture, isDropFrame: isDropFrame)
                labelled += annexB(message)
                found.append(
                    try HEVCTimeCode.timecode(in: message.span.bytes, timestamp: &timestamp)?.description
                )
            }
            labelled += annexB(bytes)
        }
        #expect(found.count == 12)
        #expect(try await FFmpegTimecodes.read(labelled, rate: rate, format: "hevc") == found)
    }
}
