import Codecs
import ContentProtection
import ISOBMFF
import MPEGTS
import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import TestSupport
import Testing

@testable import Inspection
@testable import Packaging
@testable import Segmenting

@Suite struct TransportMuxerTests {
    private static let video = CodecConfiguration.avc(SyntheticTracks.video)
    private static let audio = CodecConfiguration.aac(SyntheticTracks.audio)

    /// Pictures in the order of decoding I P B: the cut's decode clock is a picture late, as the cutter makes it.
    private static func pictures(_ slot: Int64 = 0) -> CutSegment {
        let start = Boundary(media: Epoch.at(slot * 4_000), utcOffset: .zero)
        let slice: [UInt8] = [0x41] + (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 7 | 0x40) }
        let offsets: [Int32] = [0, 3_600, -3_600, 0]
        return CutSegment(
            number: MediaSequenceNumber(Epoch.slot.value + slot),
            start: start,
            end: Boundary(media: Epoch.at(slot * 4_000 + 4_000), utcOffset: .zero),
            timescale: 90_000,
            decodeTime: start.media.ticks,
            duration: 360_000,
            reordering: 3_600,
            samples: offsets.indices.map { index in
                let nalUnit = [index == 0 ? 0x65 : 0x41] + slice.dropFirst()
                var payload = ByteBuffer(integer: UInt32(nalUnit.count))
                payload.writeBytes(nalUnit)
                return FragmentSample(
                    duration: index == 3 ? 360_000 - 3 * 3_600 : 3_600,
                    compositionOffset: offsets[index],
                    isSync: index == 0,
                    payload: payload
                )
            },
            configuration: video
        )
    }

    private static func frames(_ slot: Int64 = 0) -> CutSegment {
        var cut = pictures(slot)
        cut.timescale = 48_000
        cut.decodeTime = cut.start.media.value(timescale: 48_000)
        cut.duration = 4 * 48_000
        cut.configuration = audio
        cut.samples = (0..<187).map { index in
            FragmentSample(
                duration: 1_024,
                isSync: true,
                payload: ByteBuffer(bytes: [0x21, UInt8(truncatingIfNeeded: index)] + [UInt8](repeating: 9, count: 60))
            )
        }
        return cut
    }

    private static func key() throws -> PeriodKey {
        let secret = try #require(MasterSecret(Array(1...32)))
        return try KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil).keys(for: CryptoPeriod(0), .video)
    }

    @Test func picturesAndAudioShareAStreamThatKeepsEveryRule() throws {
        var muxer = TransportMuxer(language: "de")
        var state: TransportStreamState?
        for slot in 0..<Int64(3) {
            let segment = try muxer.mux(SegmentContents(Self.pictures(slot), audio: Self.frames(slot)), key: nil)
            #expect(segment.initialization == nil)
            let parsed = ParsedTransportStream(segment.bytes, after: state)
            #expect(parsed.violations.isEmpty, "\(parsed.violations)")
            state = parsed.state
        }
    }

    @Test func picturesAreDecodedWhenTheFeedSaysAndShownWhenTheCutDoes() throws {
        var muxer = TransportMuxer(language: nil)
        let cut = Self.pictures()
        let segment = try muxer.mux(SegmentContents(cut), key: nil)
        let packets = try #require(ParsedTransportStream(segment.bytes).units[0x100])
        let start = cut.decodeTime & 0x1_FFFF_FFFF
        #expect(packets.map { $0.presentationTime.map { $0 - start } } == [0, 7_200, 3_600, 10_800])
        #expect(packets.map { $0.decodeTime.map { $0 - start } } == [-3_600, 0, 3_600, 7_200])
    }

    @Test func theFirstPictureStandsAtTheHead() throws {
        var muxer = TransportMuxer(language: nil)
        let segment = try muxer.mux(SegmentContents(Self.pictures(), audio: Self.frames()), key: nil)
        let range = try #require(segment.iFrame)
        #expect(range.lowerBound == 0 && range.upperBound % 188 == 0)
        let head = try #require(segment.bytes.getSlice(at: segment.bytes.readerIndex, length: range.count))
        let pictures = ParsedTransportStream(head).units[0x100]
        #expect(pictures?.count == 1)
        #expect(pictures?.first?.payload == ParsedTransportStream(segment.bytes).units[0x100]?.first?.payload)
    }

    @Test func encryptedStreamsAreAnnouncedAsSuchWithTheirAudioSetup() throws {
        var muxer = TransportMuxer(language: nil)
        let clear = try muxer.mux(SegmentContents(Self.pictures(), audio: Self.frames()), key: nil)
        let encrypted = try muxer.mux(SegmentContents(Self.pictures(1), audio: Self.frames(1)), key: Self.key())
        #expect(ParsedTransportStream(clear.bytes).map?.streams.map(\.type) == [0x1B, 0x0F])
        #expect(ParsedTransportStream(encrypted.bytes).map?.streams.map(\.type) == [0xDB, 0xCF])
    }

    @Test func tagsStandAtTheirTimesAndAreAnnouncedWithoutAny() throws {
        var muxer = TransportMuxer(language: nil)
        let cut = Self.pictures()
        let tag = TimedTag(utc: cut.start.utc + MediaTime(milliseconds: 1_500), bytes: ByteBuffer(string: "ID3 tag"))
        let tagged = try muxer.mux(SegmentContents(cut, audio: Self.frames(), tags: [tag]), key: nil)
        let parsed = ParsedTransportStream(tagged.bytes)
        #expect(parsed.violations.isEmpty, "\(parsed.violations)")
        #expect(parsed.map?.streams.map(\.type) == [0x1B, 0x0F, 0x15])
        let unit = try #require(parsed.units[0x300]?.first)
        #expect(unit.payload == ByteBuffer(string: "ID3 tag"))
        #expect(unit.presentationTime == (cut.start.media + MediaTime(milliseconds: 1_500)).ticks & 0x1_FFFF_FFFF)
        let bare = try muxer.mux(SegmentContents(Self.pictures(1), audio: Self.frames(1), tags: []), key: nil)
        #expect(ParsedTransportStream(bare.bytes, after: parsed.state).violations.isEmpty)
        #expect(ParsedTransportStream(bare.bytes).map?.streams.map(\.type) == [0x1B, 0x0F, 0x15])
    }

    @Test func aTagBelongsToTheSegmentThatItFallsInto() {
        var tags = TimedTags()
        let cut = Self.pictures()
        for milliseconds: Int64 in [4_000, 3_999, -1, 0] {
            tags.append(TimedTag(utc: cut.start.utc + MediaTime(milliseconds: milliseconds), bytes: ByteBuffer()))
        }
        let due = tags.tags(in: cut.span).map { ($0.utc - cut.start.utc).milliseconds }
        #expect(due == [0, 3_999])
        tags.discard(before: cut.end.utc)
        #expect(tags.tags(in: cut.span).isEmpty)
        #expect(tags.tags(in: Self.pictures(1).span).count == 1)
    }

    @Test func aSlotWithoutAudioStillAnnouncesIt() throws {
        var muxer = TransportMuxer(language: nil)
        let full = try muxer.mux(SegmentContents(Self.pictures(), audio: Self.frames()), key: nil)
        var contents = SegmentContents(Self.pictures(1))
        contents.audioConfiguration = Self.audio
        #expect(contents.lacksAudio)
        let silent = try muxer.mux(contents, key: nil)
        #expect(
            ParsedTransportStream(silent.bytes).map?.streams.map(\.type)
                == ParsedTransportStream(full.bytes).map?.streams.map(\.type)
        )
    }

    @Test func whatIsWrittenDependsOnTheCutAlone() throws {
        var first = TransportMuxer(language: nil)
        var second = TransportMuxer(language: nil)
        _ = try first.mux(SegmentContents(Self.pictures(0), audio: Self.frames(0)), key: Self.key())
        let one = try first.mux(SegmentContents(Self.pictures(5), audio: Self.frames(5)), key: Self.key())
        let other = try second.mux(SegmentContents(Self.pictures(5), audio: Self.frames(5)), key: Self.key())
        #expect(one.bytes == other.bytes)
    }

    @Test func packedAudioStandsBehindItsTime() throws {
        var muxer = PackedAudioMuxer()
        let cut = Self.frames()
        let segment = try muxer.mux(SegmentContents(cut), key: nil)
        let parsed = try ParsedPackedAudio(segment.bytes)
        #expect(parsed.presentationTime == cut.start.media.ticks & 0x1_FFFF_FFFF)
        #expect(parsed.audioSetup == nil)
        #expect(segment.bytes.readableBytes > 187 * (7 + 62))
        let encrypted = try muxer.mux(SegmentContents(cut), key: Self.key())
        #expect(try ParsedPackedAudio(encrypted.bytes).audioSetup != nil)
        #expect(encrypted.bytes != segment.bytes)
    }

    @Test func whatTheFormatHasNoPlaceForIsNotWritten() {
        var cut = Self.frames()
        cut.configuration = .opus(OpusConfiguration(channels: 2, preSkip: 312, inputSampleRate: 48_000))
        var muxer = PackedAudioMuxer()
        #expect(throws: SegmentMuxerError.self) { try muxer.mux(SegmentContents(cut), key: nil) }
        var streams = TransportMuxer(language: nil)
        #expect(throws: SegmentMuxerError.self) { try streams.mux(SegmentContents(cut), key: nil) }
    }
}
