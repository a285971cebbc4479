import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite struct TrackProbeTests {
    /// An ADTS frame of silence, mono at 24 kHz, with and without an empty SBR fill element (ISO/IEC 14496-3 § 4.4.2).
    private func aacFrame(hasSBR: Bool) -> [UInt8] {
        var bits = ""
        func put(_ value: Int, _ count: Int) {
            let text = String(value, radix: 2)
            bits += String(repeating: "0", count: count - text.count) + text
        }
        // single_channel_element: tag, global_gain, then ics_info of a long window with max_sfb of 0; no pulse, TNS, gain.
        put(0, 3)
        put(0, 4)
        put(100, 8)
        put(0, 1 + 2 + 1 + 6 + 1)
        put(0, 3)
        if hasSBR {
            // fill_element of 4 bytes: EXT_SBR_DATA, without a header, and nothing that could be read without one.
            put(6, 3)
            put(4, 4)
            put(13, 4)
            put(0, 28)
        }
        put(7, 3)
        while bits.count % 8 != 0 { bits += "0" }
        let payload = stride(from: 0, to: bits.count, by: 8).map { start in
            UInt8(bits.dropFirst(start).prefix(8), radix: 2) ?? 0
        }
        let count = payload.count + 7
        let header: [UInt8] = [
            0xFF, 0xF1, 0x40 | 6 << 2, 1 << 6, UInt8(count >> 3), UInt8(count & 7) << 5 | 0x1F, 0xFC,
        ]
        return header + payload
    }

    private func probe(_ codec: InputTrack.Codec) throws -> TrackProbe {
        try #require(TrackProbe(InputTrack(index: 0, kind: .audio, codec: codec)))
    }

    private func look(_ probe: TrackProbe, _ payload: [UInt8]) -> Bool { probe.look(at: payload.span.bytes) }

    @Test func plainAACIsKnownByItsFirstFrame() throws {
        let probe = try probe(.aac)
        #expect(look(probe, aacFrame(hasSBR: false)))
        #expect(probe.finding == .init(codec: .aac, objectTypeHint: nil))
    }

    @Test func sbrIsFoundThoughTheHeaderDoesNotSayIt() throws {
        let probe = try probe(.aac)
        // Mono may still turn out to be parametric stereo, for a while.
        for _ in 0..<19 { #expect(!look(probe, aacFrame(hasSBR: true))) }
        #expect(look(probe, aacFrame(hasSBR: true)))
        #expect(probe.finding == .init(codec: .aac, objectTypeHint: 5))
    }

    @Test(
        arguments: [
            (0xFD, InputTrack.Codec.mp2), (0xFB, .mp3), (0xFF, .unsupported("mp1")), (0xF5, .mp2), (0xE3, .mp3),
        ] as [(UInt8, InputTrack.Codec)]
    )
    func theLayerIsThatOfTheHeader(second: UInt8, codec: InputTrack.Codec) throws {
        for stated in [InputTrack.Codec.mp2, .mp3] {
            let probe = try probe(stated)
            #expect(!look(probe, [0, 1, 2]))
            #expect(look(probe, [0xFF, second, 0x44, 0]))
            #expect(probe.finding.codec == codec)
        }
    }

    @Test func whatIsNoneIsGivenUp() throws {
        let probe = try probe(.aac)
        for _ in 0..<19 { #expect(!look(probe, [7, 7])) }
        #expect(look(probe, [7, 7]))
        #expect(probe.finding == .init(codec: .aac, objectTypeHint: nil))
    }

    @Test func headersOfTheContainerLeaveNothingToFind() {
        let track = InputTrack(index: 0, kind: .audio, codec: .aac, header: [0x11, 0x90])
        #expect(TrackProbe(track) == nil)
        #expect(TrackProbe(InputTrack(index: 0, kind: .video, codec: .h264)) == nil)
    }
}
