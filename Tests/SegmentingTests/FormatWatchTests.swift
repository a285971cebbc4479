import MediaCore
import SegmentingSupport
import Testing

@testable import Segmenting

@Suite struct FormatWatchTests {
    private var watch = FormatWatch()

    private func second(_ value: Int64) -> MediaTime { MediaTime(seconds: value) }

    private func video(_ width: Int, _ height: Int, _ rate: Ratio?) -> CodecConfiguration {
        var video = SyntheticTracks.video
        video.picture.width = width
        video.picture.height = height
        video.picture.frameRate = rate
        return .avc(video)
    }

    @Test mutating func anotherProgrammeIsToldWithFromAndTo() {
        #expect(watch.received(video(640, 360, Ratio(25, 1)), place: 0, at: second(0)) == nil)
        #expect(watch.received(.aac(SyntheticTracks.audio), place: 1, at: second(0)) == nil)
        #expect(watch.received(video(640, 360, Ratio(25, 1)), place: 0, at: second(1)) == nil)
        #expect(
            watch.received(video(1280, 720, Ratio(60_000, 1_001)), place: 0, at: second(2))
                == .changed(from: "h264 640x360 25 fps", to: "h264 1280x720 59.94 fps")
        )
        var mono = SyntheticTracks.audio
        mono.channels = 1
        mono.coreSampleRate = 44_100
        #expect(
            watch.received(.aac(mono), place: 1, at: second(2))
                == .changed(from: "aac 48 kHz 2 channels", to: "aac 44.1 kHz 1 channel")
        )
    }

    @Test mutating func whatViewersCannotTellApartIsNoNews() {
        _ = watch.received(video(640, 360, nil), place: 0, at: second(0))
        var other = SyntheticTracks.video
        other.level = 40
        #expect(watch.received(.avc(other), place: 0, at: second(1)) == nil)
    }

    /// Two encoders send to one port, as it seems: each key frame is of another format than the one before.
    @Test mutating func changesWithoutEndAreAFewLinesAMinute() {
        let formats = [video(640, 360, nil), video(1280, 720, nil)]
        let news = (0..<121).compactMap { watch.received(formats[$0 % 2], place: 0, at: second(Int64($0))) }
        let isAgain = news.map { if case .changesAgainAndAgain = $0 { true } else { false } }
        #expect(isAgain == [false, false, false, true, false, false, false, true])
    }
}
