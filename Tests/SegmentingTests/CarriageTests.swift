import Codecs
import MediaCore
import Operations
import Playlists
import SegmentingSupport
import TestSupport
import Testing

@testable import Segmenting

@Suite struct CarriageTests {
    private static func verdict(
        _ codec: InputTrack.Codec,
        _ format: StreamFormat,
        isSampleEncrypted: Bool = false
    ) -> Carriage.Verdict {
        let kind: MediaKind = [.h264, .hevc, .av1].contains(codec) ? .video : .audio
        return Carriage(format: format, isSampleEncrypted: isSampleEncrypted)
            .verdict(on: InputTrack(index: 0, kind: kind, codec: codec))
    }

    @Test(arguments: [.h264, .hevc, .av1, .aac, .ac3, .eac3, .mp3, .opus, .flac, .alac] as [InputTrack.Codec])
    func fragmentedMP4CarriesEveryCodecClearOrEncrypted(codec: InputTrack.Codec) {
        for isEncrypted in [false, true] {
            let verdict = Self.verdict(codec, .fmp4, isSampleEncrypted: isEncrypted)
            #expect(verdict == .carried(.fragmentedMP4, warning: nil))
        }
    }

    @Test(
        arguments: [
            (.h264, .transportStream), (.aac, .aac), (.ac3, .ac3), (.eac3, .ec3), (.mp3, .mp3),
        ] as [(InputTrack.Codec, SegmentFormat)]
    )
    func besideTransportStreamsAudioIsPacked(codec: InputTrack.Codec, format: SegmentFormat) {
        #expect(Self.verdict(codec, .ts) == .carried(format, warning: nil))
    }

    /// ADTS has three bits for channelConfiguration (ISO/IEC 14496-3 § 1.A.3.2.1); 7.1 with speakers above is 14.
    @Test(arguments: [.aac, .transportStream] as [SegmentFormat])
    func audioThatADTSHasNoWordsForHasAPlaceInFragmentedMP4Only(format: SegmentFormat) throws {
        let carriage = Carriage(format: .ts, isSampleEncrypted: false)
        let surround = CodecConfiguration.aac(try AACConfiguration(audioSpecificConfig: [0x11, 0xF0]))
        #expect(carriage.problem(with: surround, in: format) != nil)
        #expect(carriage.problem(with: surround, in: .fragmentedMP4) == nil)
        #expect(carriage.problem(with: .aac(SyntheticTracks.audio), in: format) == nil)
    }

    @Test func audioThatCannotBeEncryptedHasNoPlaceAmongEncryptedSamples() {
        let audio = CodecConfiguration.mpegAudio(MPEGAudioConfiguration(layer: 3, sampleRate: 48_000, channels: 2))
        for isSampleEncrypted in [false, true] {
            let carriage = Carriage(format: .ts, isSampleEncrypted: isSampleEncrypted)
            #expect((carriage.problem(with: audio, in: .mp3) == nil) == !isSampleEncrypted)
            #expect(carriage.problem(with: .aac(SyntheticTracks.audio), in: .aac) == nil)
        }
    }

    @Test func hevcInTransportStreamsIsCarriedWithTheRuleThatItBreaks() throws {
        guard case .carried(.transportStream, let warning?) = Self.verdict(.hevc, .ts) else {
            Issue.record("it is not carried with a warning")
            return
        }
        #expect(warning.contains("HLS Authoring Specification § 1.5"))
    }

    @Test(arguments: [.av1, .opus, .flac, .alac, .mp2] as [InputTrack.Codec])
    func whatTransportStreamsHaveNoPlaceForIsRefused(codec: InputTrack.Codec) {
        guard case .refused = Self.verdict(codec, .ts) else {
            Issue.record("\(codec) is carried")
            return
        }
    }

    @Test(arguments: [.hevc, .mp3] as [InputTrack.Codec])
    func nothingIsLeftClearThatWasToBeEncrypted(codec: InputTrack.Codec) {
        guard case .refused(let reason) = Self.verdict(codec, .ts, isSampleEncrypted: true) else {
            Issue.record("\(codec) is carried")
            return
        }
        #expect(reason.contains("SAMPLE-AES is not defined"))
    }

    @Test(
        arguments: [
            (.fmp4, .quarter, false), (.fmp4, nil, true),
            (.ts, PictureRotation.none, false),
            (.ts, .quarter, true), (.ts, nil, true),
        ] as [(StreamFormat, PictureRotation?, Bool)]
    )
    func whereATurnedPictureIsNotTurnedItIsSaid(format: StreamFormat, rotation: PictureRotation?, isWarned: Bool) {
        var track = InputTrack(index: 0, kind: .video, codec: .h264)
        track.rotation = rotation
        guard case .carried(_, let warning) = Carriage(format: format, isSampleEncrypted: false).verdict(on: track)
        else {
            Issue.record("it is not carried")
            return
        }
        #expect((warning != nil) == isWarned)
    }

    @Test(arguments: [.fmp4, .ts] as [StreamFormat])
    func whatIsEncryptedAlreadyIsRefused(format: StreamFormat) {
        var track = InputTrack(index: 0, kind: .video, codec: .h264)
        track.isEncrypted = true
        guard case .refused(let reason) = Carriage(format: format, isSampleEncrypted: true).verdict(on: track) else {
            Issue.record("it is carried")
            return
        }
        #expect(reason.contains("encrypted"))
    }

    @Test func anUnknownCodecIsRefusedByName() {
        #expect(
            Self.verdict(.unsupported("dirac"), .fmp4) == .refused("codec dirac is not supported")
        )
    }
}
