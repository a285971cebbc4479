import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite struct AudioTranscodingTests {
    private func track(
        _ index: Int,
        _ codec: InputTrack.Codec,
        _ language: String? = "en",
        program: Int? = 1,
        isDescription: Bool = false
    ) -> InputTrack {
        var track = InputTrack(
            index: InputTrackIndex(index),
            kind: codec == .h264 ? .video : .audio,
            codec: codec,
            language: language
        )
        track.program = program
        track.isAudioDescription = isDescription
        return track
    }

    @Test func byItselfItTakesWhatNotEveryPlayerDecodes() {
        func chosen(_ tracks: InputTrack...) -> Set<InputTrackIndex> { AudioTranscoding.automatic.choose(from: tracks) }
        #expect(chosen(track(0, .h264), track(1, .mp2)) == [1])
        #expect(chosen(track(1, .mp2), track(2, .aac)) == [1])
        #expect(chosen(track(1, .ac3)) == [1])
        #expect(chosen(track(1, .ac3), track(2, .aac)) == [])
        #expect(chosen(track(1, .eac3), track(2, .mp3)) == [])
        #expect(chosen(track(1, .eac3), track(2, .mp2)) == [2])
        #expect(chosen(track(1, .eac3), track(2, .aac, "de")) == [1])
        #expect(chosen(track(1, .ac3), track(2, .aac, program: 2)) == [1])
        #expect(chosen(track(1, .ac3), track(2, .aac, isDescription: true)) == [1])
        #expect(chosen(track(1, .mp3), track(2, .opus), track(3, .flac), track(4, .unsupported("dts"))) == [])
    }

    @Test func allAndNoneAreWhatTheySay() {
        let tracks = [track(0, .h264), track(1, .aac), track(2, .mp3), track(3, .unsupported("dts")), track(4, .mp2)]
        #expect(AudioTranscoding.all.choose(from: tracks) == [2, 4])
        #expect(AudioTranscoding.none.choose(from: tracks) == [])
    }
}
