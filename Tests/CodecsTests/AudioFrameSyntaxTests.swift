import MediaCore
import Testing

@testable import Codecs

@Suite struct AudioFrameSyntaxTests {
    private func extent(_ syntax: AudioFrameSyntax, _ hex: String) throws -> AudioFrameExtent {
        try syntax.header([UInt8](hex: hex).span.bytes)
    }

    /// Headers are read also where this packager carries no such track: others decode it.
    @Test(
        arguments: [
            // AAC: one frame, and four behind a checksum each.
            (.adts, "fff14c800f1ffc", 48_000, 1024, 120, .aac),
            (.adts, "fff04c800f1fff", 48_000, 4096, 120, .aac),
            // A frame of no bytes.
            (.adts, "fff1508000fffc", 44_100, 1024, 7, .aac),
            // AC-3 of 48 kHz, and with bsid 9 and 10 of its half and its quarter.
            (.dolby, "0b770000144050200000", 48_000, 1536, 768, .ac3),
            (.dolby, "0b770000144850200000", 24_000, 1536, 768, .ac3),
            (.dolby, "0b770000145050200000", 12_000, 1536, 768, .ac3),
            // Enhanced AC-3 of 48 kHz and of 24 kHz, and a substream that depends on another.
            (.dolby, "0b77001f3f8700000000", 48_000, 1536, 64, .eac3),
            (.dolby, "0b77001fcf8700000000", 24_000, 1536, 64, .eac3),
            (.dolby, "0b77401f3f8700000000", 48_000, 0, 64, .eac3),
            // MPEG-1 layers I, II and III, the last one with the reserved emphasis, and MPEG-2.5 layer III.
            (.mpegAudio, "ffffc400", 48_000, 384, 384, .unsupported("mp1")),
            (.mpegAudio, "fffda400", 48_000, 1152, 576, .mp2),
            (.mpegAudio, "fffb9202", 44_100, 1152, 418, .mp3),
            (.mpegAudio, "ffe34400", 12_000, 576, 192, .mp3),
            // Opus: 20 ms, without anything beside; and with both trims, an extension of two bytes, and a size of 258.
            (.opus, "7fe003fcfffe", 48_000, 960, 6, .opus),
            (.opus, "7ffcff030000000002aaaafc", 48_000, 960, 269, .opus),
        ] as [(AudioFrameSyntax, String, Int64, Int64, Int, InputTrack.Codec)]
    )
    func headersSayHowLongAFrameIs(
        syntax: AudioFrameSyntax,
        hex: String,
        rate: Int64,
        samples: Int64,
        byteCount: Int,
        codec: InputTrack.Codec
    ) throws {
        let extent = try extent(syntax, hex)
        #expect(extent.sampleRate == rate)
        #expect(extent.samples == samples)
        #expect(extent.byteCount == byteCount)
        #expect(extent.codec == codec)
        #expect(extent.byteCount <= syntax.mostBytes)
        // What is cut may be one still.
        let bytes = [UInt8](hex: hex)
        let shortest = syntax == .opus ? extent.prefixByteCount + 1 : syntax == .adts ? 7 : syntax == .dolby ? 6 : 3
        for count in 0..<shortest {
            #expect(throws: CodecError.truncated) { try syntax.header(Array(bytes.prefix(count)).span.bytes) }
        }
    }

    @Test(
        arguments: [
            (.adts, "ffe14c800f1ffc"), (.adts, "fff374800f1ffc"), (.adts, "fff14c8000dffc"), (.adts, "fff04c80011ffc"),
            (.dolby, "0b780000144050200000"), (.dolby, "0b77d01f3f8700000000"), (.mpegAudio, "ffebc400"),
            (.mpegAudio, "fffb0200"), (.mpegAudio, "fffbf200"), (.mpegAudio, "fffb9e00"), (.opus, "7fc003fcfffe"),
            (.opus, "7fe000fc"), (.opus, "7fe001ff00"),
        ] as [(AudioFrameSyntax, String)]
    )
    func otherBytesAreNoHeader(syntax: AudioFrameSyntax, hex: String) throws {
        let error = try #require(throws: CodecError.self) { try extent(syntax, hex) }
        #expect(error != .truncated)
        #expect(syntax.wholeHeader([UInt8](hex: hex).span.bytes) == nil)
    }

    @Test func severalBlocksBehindOneHeaderAreNotTakenApart() throws {
        var reader = try AACFrameReader(header: [])
        let frame = [UInt8](hex: "fff14c80021ffd") + [UInt8](repeating: 0, count: 9)
        #expect(throws: CodecError.unsupported("several raw data blocks in an ADTS frame")) {
            try reader.read(frame.span.bytes)
        }
        let empty = [UInt8](hex: "fff14c8000fffc")
        #expect(throws: CodecError.invalid("aac_frame_length")) { try reader.read(empty.span.bytes) }
    }
}
