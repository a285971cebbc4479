import MediaCore
import Operations
import Playlists
import SegmentingSupport
import TestSupport
import Testing

@testable import Segmenting

@Suite struct RenditionPlanTests {
    private static func video(_ height: Int, aspect: Ratio = Ratio(1, 1), rate: Ratio? = nil) -> CodecConfiguration {
        var configuration = SyntheticTracks.video
        configuration.picture.height = height
        configuration.picture.width = height * 16 / 9
        configuration.picture.sampleAspectRatio = aspect
        configuration.picture.frameRate = rate
        return .avc(configuration)
    }
    private static let stereo = CodecConfiguration.aac(SyntheticTracks.audio)

    private static func plan(_ kind: MediaKind, language: String? = nil, name: String? = nil) -> RenditionPlan {
        let track = InputTrack(
            index: 0,
            kind: kind,
            codec: kind == .video ? .h264 : .aac,
            language: language,
            frameRate: Ratio(25, 1)
        )
        return RenditionPlan(track, attributes: AudioAttributes(name: name))
    }

    private static func describe(
        _ tracks: [(RenditionPlan, CodecConfiguration?)],
        names: [RenditionID?]? = nil
    ) -> [RenditionDescription?] {
        RenditionPlan.describe(
            tracks.map(\.0),
            configurations: tracks.map(\.1),
            names: names ?? tracks.map { _ in nil }
        )
    }

    @Test func renditionsAreNamedByHeightAndLanguage() {
        let renditions = Self.describe([
            (Self.plan(.video), Self.video(1_080)), (Self.plan(.video), Self.video(720)),
            (Self.plan(.audio, language: "en"), Self.stereo), (Self.plan(.audio, language: "de"), Self.stereo),
            (Self.plan(.audio), Self.stereo),
        ])
        #expect(renditions.map { $0?.id } == ["video-1080p", "video-720p", "audio-en", "audio-de", "audio"])
        #expect(renditions.map { $0?.name } == [nil, nil, "English", "German", "Audio"])
        #expect(renditions.map { $0?.language } == [nil, nil, "en", "de", nil])
        #expect(renditions.map { $0?.audioGroup } == [nil, nil, "audio", "audio", "audio"])
        #expect(renditions.map { $0?.isDefault } == [false, false, true, false, false])
        #expect(
            renditions.map { $0?.codecs }
                == [["avc1.64001e"], ["avc1.64001e"], ["mp4a.40.2"], ["mp4a.40.2"], ["mp4a.40.2"]]
        )
        #expect(renditions.map { $0?.channels } == [nil, nil, "2", "2", "2"])
    }

    @Test func whatHasOneNameIsNumbered() {
        let renditions = Self.describe([
            (Self.plan(.video), Self.video(720)), (Self.plan(.video), Self.video(720)),
            (Self.plan(.audio, language: "en"), Self.stereo),
            (Self.plan(.audio, language: "en", name: "Commentary"), Self.stereo),
            (Self.plan(.audio, language: "en"), Self.stereo),
        ])
        #expect(renditions.map { $0?.id } == ["video-720p", "video-720p-2", "audio-en", "audio-en-2", "audio-en-3"])
        #expect(renditions.map { $0?.name } == [nil, nil, "English", "Commentary", "English-2"])
    }

    /// One of two machines may have heard of the first only, of the second only, or of both at once.
    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]])
    func namesDoNotDependOnWhoseMediaComesFirst(arrivals: [Int]) {
        for kind in [MediaKind.video, .audio] {
            let plans = (0..<3).map { position in
                var plan = Self.plan(kind)
                plan.position = InputPosition(position)
                return plan
            }
            var configurations = [CodecConfiguration?](repeating: nil, count: 3)
            var names = [RenditionID?](repeating: nil, count: 3)
            for index in arrivals {
                configurations[index] = kind == .video ? Self.video(1_080) : Self.stereo
                names = RenditionPlan.describe(plans, configurations: configurations, names: names).map { $0?.id }
            }
            let base = kind == .video ? "video-1080p" : "audio"
            #expect(names == [RenditionID(base), RenditionID(base + "-2"), RenditionID(base + "-3")])
        }
    }

    /// The first input is not there: what comes of the second must not be named as the first's would be.
    @Test func whatComesAfterAnInputThatIsAwayIsNumbered() {
        var plan = Self.plan(.video)
        plan.position = 1
        #expect(Self.describe([(plan, Self.video(1_080))]).map { $0?.id } == ["video-1080p-2"])
        let both = Self.describe([(Self.plan(.video), Self.video(720)), (plan, Self.video(1_080))])
        #expect(both.map { $0?.id } == ["video-720p", "video-1080p"])
    }

    @Test func aTrackWithoutMediaHasNoRendition() {
        let renditions = Self.describe([(Self.plan(.video), Self.video(720)), (Self.plan(.audio), nil)])
        #expect(renditions.map { $0?.id } == ["video-720p", nil])
        #expect(renditions[0]?.audioGroup == nil)
    }

    @Test func aNameIsForTheChannelsLife() {
        let tracks = [
            (Self.plan(.video), Self.video(720)), (Self.plan(.video), Self.video(720)),
            (Self.plan(.audio), Self.stereo),
        ]
        let renditions = Self.describe(tracks, names: ["video-1080p", nil, "audio"])
        #expect(renditions.map { $0?.id } == ["video-1080p", "video-720p", "audio"])
        let joined = Self.describe(tracks, names: ["video-720p", nil, nil])
        #expect(joined.map { $0?.id } == ["video-720p", "video-720p-2", "audio"])
    }

    @Test func afterARestartARenditionWithoutMediaStaysWhatItWas() {
        let plans = [
            Self.plan(.video), Self.plan(.audio, language: "en"), Self.plan(.audio, language: "de"),
        ]
        let before = Self.describe(zip(plans, [Self.video(720), Self.stereo, Self.stereo]).map { ($0, $1) })
        for configurations in [[nil, nil, Self.stereo], [Self.video(720), nil, nil]] as [[CodecConfiguration?]] {
            let after = RenditionPlan.describe(
                plans,
                configurations: configurations,
                names: before.map { $0?.id },
                restored: Dictionary(
                    uniqueKeysWithValues: before.enumerated().compactMap { index, description in
                        description.map { (TrackIndex(index), $0) }
                    }
                )
            )
            #expect(after == before)
        }
    }

    @Test func theFrameRateIsTheStreamsOwnOrElseTheContainers() {
        let renditions = Self.describe([
            (Self.plan(.video), Self.video(720, rate: Ratio(50, 1))), (Self.plan(.video), Self.video(360)),
        ])
        #expect(renditions.map { $0?.frameRate } == [Ratio(50, 1), Ratio(25, 1)])
    }

    @Test(arguments: [(Ratio(25, 1), Ratio(25, 1)), (Ratio(90_000, 1), nil)])
    func anImplausibleFrameRateOfAnEarlierRunIsForgotten(published: Ratio, rate: Ratio?) {
        let description = RenditionDescription(
            id: "video-720p",
            kind: .video,
            codecs: ["avc1.64001e"],
            frameRate: published
        )
        #expect(Self.describe([(RenditionPlan(description), Self.video(720))]).map { $0?.frameRate } == [rate])
    }

    @Test func theResolutionIsThatOfSquarePixels() {
        let renditions = Self.describe([(Self.plan(.video), Self.video(576, aspect: Ratio(64, 45)))])
        #expect(renditions[0]?.resolution?.height == 576)
        #expect(renditions[0]?.resolution?.width == 1_024 * 64 / 45)
    }

    @Test func configurationOverridesTheContainersLanguage() {
        let track = InputTrack(index: 1, kind: .audio, codec: .aac, language: "en")
        let plan = RenditionPlan(track, attributes: AudioAttributes(language: "fr", name: "Français"))
        #expect(plan.language == "fr")
        #expect(plan.inputLanguage == "en")
        #expect(Self.describe([(plan, Self.stereo)])[0]?.id == "audio-fr")
    }

    // MARK: Codecs

    private static let dolby = CodecConfiguration.eac3(
        EAC3Configuration(
            dataRate: 768,
            independentSubstreams: [.init(sampleRateCode: 0, audioCodingMode: 7, hasLowFrequencyEffects: true)],
            jointObjectCodingComplexity: 16
        )
    )

    @Test func otherCodecsAreNamedAndEachHasItsGroup() {
        let renditions = Self.describe([
            (Self.plan(.video), Self.video(720)),
            (Self.plan(.audio, language: "en"), Self.stereo), (Self.plan(.audio, language: "en"), Self.dolby),
            (
                Self.plan(.audio, language: "en"),
                .opus(OpusConfiguration(channels: 2, preSkip: 312, inputSampleRate: 48_000))
            ),
        ])
        #expect(renditions.map { $0?.id } == ["video-720p", "audio-en", "audio-en-eac3", "audio-en-opus"])
        #expect(renditions.map { $0?.audioGroup } == [nil, "audio", "audio-eac3", "audio-opus"])
        #expect(renditions.map { $0?.name } == [nil, "English", "English", "English"])
        #expect(renditions.map { $0?.channels } == [nil, "2", "16/JOC", "2"])
        #expect(renditions.map { $0?.isDefault } == [false, true, true, true])
    }

    @Test func aVideoSaysItsRangeAndCodec() {
        let hevc = CodecConfiguration.hevc(
            HEVCConfiguration(
                videoParameterSets: [],
                sequenceParameterSets: [],
                pictureParameterSets: [],
                profileTierLevel: .init(
                    profile: 2,
                    compatibilityFlags: 0x2000_0000,
                    constraintFlags: 0xB000_0000_0000,
                    level: 120
                ),
                picture: PictureFormat(
                    width: 1_920,
                    height: 1_080,
                    colour: ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
                )
            )
        )
        let renditions = Self.describe([(Self.plan(.video), Self.video(1_080)), (Self.plan(.video), hevc)])
        #expect(renditions.map { $0?.id } == ["video-1080p", "video-1080p-hevc"])
        #expect(renditions.map { $0?.codecs } == [["avc1.64001e"], ["hvc1.2.4.L120.B0"]])
        #expect(renditions.map { $0?.videoRange } == [.standard, .pq])
    }

    @Test func theOperatorSaysWhichIsTheDefault() {
        var plans = [Self.plan(.audio, language: "en"), Self.plan(.audio, language: "de")]
        plans[1].isDefault = true
        let renditions = Self.describe(plans.map { ($0, Self.stereo) })
        #expect(renditions.map { $0?.isDefault } == [false, true])
        plans[1].isDefault = false
        plans[0].isDefault = false
        let none = Self.describe(plans.map { ($0, Self.stereo) })
        #expect(none.map { $0?.isDefault } == [false, false])
    }

    @Test func audioDescriptionIsSaidToDescribe() {
        var track = InputTrack(index: 2, kind: .audio, codec: .aac, language: "en")
        track.isAudioDescription = true
        let renditions = Self.describe([(RenditionPlan(track), Self.stereo)])
        #expect(renditions[0]?.characteristics == ["public.accessibility.describes-video"])
    }

    @Test func audioThatAVideoCarriesIsNoRenditionButACodec() {
        var audio = Self.plan(.audio, language: "en")
        audio.carrier = 0
        let renditions = Self.describe([(Self.plan(.video), Self.video(720)), (audio, Self.stereo)])
        #expect(renditions.map { $0?.id } == ["video-720p", nil])
        #expect(renditions[0]?.codecs == ["avc1.64001e", "mp4a.40.2"])
    }

    @Test func textIsNamedByItsLanguage() throws {
        var forced = InputTrack(index: 2, kind: .text(.imsc1), codec: .text(.imsc1), language: "en")
        forced.isForced = true
        let plans = [
            Self.plan(.text(.imsc1), language: "en"), RenditionPlan(forced), Self.plan(.text(.webVTT)),
        ]
        let text = Self.describe([
            (plans[0], .text(.imsc1)), (plans[1], .text(.imsc1)), (plans[2], .text(.webVTT)),
        ])
        #expect(text.map(\.?.id.name) == ["text-en", "text-en-2", "text"])
        #expect(text.map(\.?.subtitlesGroup) == ["subtitles-imsc1", "subtitles-imsc1", "subtitles"])
        #expect(text.map(\.?.audioGroup) == [nil, nil, nil])
        #expect(text.map(\.?.language) == ["en", "en", nil])
        #expect(text.map(\.?.isForced) == [false, true, false])
        #expect(text.map(\.?.codecs) == [["stpp.ttml.im1t"], ["stpp.ttml.im1t"], ["wvtt"]])
        #expect(Set(text.compactMap(\.?.name)).count == 3)
    }
}

/// Names of the renditions that a channel would make of tracks.
@Suite struct RenditionForecastTests {
    /// Text has its rendition before anybody speaks; what else has had no media has none.
    @Test(arguments: [nil, CodecConfiguration.text(.webVTT)])
    func textThatHasSaidNothingIsPublished(configuration: CodecConfiguration?) {
        let index = InputTrackIndex(1 << 17)
        var page = InputTrack(index: index, kind: .text(.webVTT), codec: .text(.webVTT), language: "en")
        page.service = .teletext(page: 888)
        let video = InputTrack(index: 0, kind: .video, codec: .h264)
        let names = RenditionForecast.names(of: [(video, nil), (page, configuration)])
        #expect(names.map { $0?.name } == [nil, "text-en"])
    }
}
