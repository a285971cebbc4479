import MediaCore
import Playlists
import SegmentingSupport
import TestSupport
import Testing

@testable import Segmenting

/// The names that viewers read in a menu.
@Suite struct MenuNameTests {
    private static let stereo = CodecConfiguration.aac(SyntheticTracks.audio)

    private static func audio(_ language: String?, name: String? = nil) -> RenditionPlan {
        let track = InputTrack(index: 0, kind: .audio, codec: .aac, language: language)
        return RenditionPlan(track, attributes: AudioAttributes(name: name))
    }

    private static func describe(_ tracks: [(RenditionPlan, CodecConfiguration)]) -> [RenditionDescription?] {
        RenditionPlan.describe(
            tracks.map(\.0),
            configurations: tracks.map(\.1),
            names: tracks.map { _ in nil }
        )
    }

    /// A name that follows from the feed gives way, and has no number where there is no need.
    @Test func whatAnOperatorSaysGoesFirst() {
        let plans = [
            Self.audio("en"), Self.audio("en", name: "English"),
            Self.audio("de", name: "de"), Self.audio("pt-BR"),
            Self.audio("qaa"), Self.audio("und"),
        ]
        let names = Self.describe(plans.map { ($0, Self.stereo) }).map { $0?.name }
        #expect(names == ["English-2", "English", "de", "Portuguese (Brazil)", "qaa", "Audio"])
    }

    /// A version before this one has named it by its tag.
    @Test func whatWasNamedByItsTagIsNamedInWords() throws {
        var description = try #require(Self.describe([(Self.audio("de"), Self.stereo)])[0])
        let names = [
            ("de", "German"), ("de-2", "German-2"), ("de SDH", "German SDH"), ("Deutsch", "Deutsch"),
            ("de-AT", "de-AT"),
        ]
        for (before, after) in names {
            description.name = before
            #expect(description.namedInWords.name == after)
            // What the operator says holds all the same.
            var plan = RenditionPlan(description.namedInWords)
            plan.takeOver(Self.audio("de", name: before))
            let again = RenditionPlan.describe(
                [plan],
                configurations: [Self.stereo],
                names: ["audio-de"],
                restored: [0: description.namedInWords]
            )
            #expect(again[0]?.name == before)
        }
        description.captions = [
            .init(groupID: "captions", name: "SERVICE2", instreamID: "SERVICE2"),
            .init(groupID: "captions", name: "Words", instreamID: "CC1"),
        ]
        #expect(description.namedInWords.captions.map(\.name) == ["Digital captions 2", "Words"])
    }

    @Test func captionsAreNamedInWords() {
        var video = RenditionPlan(InputTrack(index: 0, kind: .video, codec: .h264))
        #expect(video.addCaptions(["CC1", "SERVICE1"]) == ["CC1", "SERVICE1"])
        #expect(video.captions.map(\.name) == ["Captions 1", "Digital captions 1"])
        let text = [(nil, nil), ("es", nil), ("es", "Palabras")].map { language, name in
            var track = InputTrack(index: 2, kind: .text(.webVTT), codec: .text(.webVTT), language: language)
            (track.service, track.name, track.isForHearingImpaired) = (.captions(.line21(3)), name, true)
            return (RenditionPlan(track), CodecConfiguration.text(.webVTT))
        }
        #expect(Self.describe(text).map { $0?.name } == ["Captions 3", "Spanish", "Palabras"])
        #expect(Self.describe(text).map { $0?.id } == ["text", "text-es", "text-es-2"])
    }
}
