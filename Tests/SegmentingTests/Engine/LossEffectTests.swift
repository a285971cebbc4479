import MediaCore
import Playlists
import Testing

@testable import Segmenting

/// Sentences about renditions without media.
@Suite struct LossEffectTests {
    private static func lost(_ subjects: SlotChanges.Subject...) -> SlotChanges.Renditions {
        var lost = SlotChanges.Renditions()
        for subject in subjects { lost.insert(subject) }
        return lost
    }

    private static let pictures = SlotChanges.Subject(id: "video-180p", kind: .video, isCarriedAudio: false)
    private static let carried = SlotChanges.Subject(id: "video-180p", kind: .audio, isCarriedAudio: true)
    private static let german = SlotChanges.Subject(id: "audio-de", kind: .audio, isCarriedAudio: false)

    @Test(
        arguments: [
            (nil, [.audio], "the picture stops (gaps)", "viewers get gaps"),
            (.slate, [.audio], "they see the slate", "viewers see the slate"),
            (.hold, [.audio], "they see the last picture", "viewers see the last picture"),
            (nil, [.video], "they get gaps of video-180p", "viewers get gaps"),
            (.hold, [.video], "they see the last picture of video-180p", "viewers see the last picture"),
        ] as [(CutSegment.Filler?, Set<MediaKind>, String, String)]
    )
    func pictures(filler: CutSegment.Filler?, others: Set<MediaKind>, text: String, sentence: String) {
        let effect = LossEffect(of: Self.lost(Self.pictures), filler, others: others)
        #expect(effect.text == text)
        #expect(effect.sentence == sentence)
    }

    @Test(
        arguments: [
            (nil, [.video], "the sound is missing (gaps)", "viewers get gaps"),
            (.hold, [.video], "they hear nothing", "viewers hear nothing"),
            (.slate, [.video], "they hear the slate", "viewers hear the slate"),
            (nil, [.video, .audio], "they get gaps of audio-de", "viewers get gaps"),
            (.hold, [.video, .audio], "they do not hear audio-de", "viewers hear nothing there"),
        ] as [(CutSegment.Filler?, Set<MediaKind>, String, String)]
    )
    func sound(filler: CutSegment.Filler?, others: Set<MediaKind>, text: String, sentence: String) {
        let effect = LossEffect(of: Self.lost(Self.german), filler, others: others)
        #expect(effect.text == text)
        #expect(effect.sentence == sentence)
    }

    @Test(
        arguments: [
            (nil, [.video], "they see the picture and hear nothing", "viewers see the picture and hear nothing"),
            (.hold, [.video], "they see the picture and hear nothing", "viewers see the picture and hear nothing"),
            (nil, [], "they hear nothing", "viewers hear nothing"),
            (nil, [.video, .audio], "they do not hear the audio of video-180p", "viewers hear nothing there"),
        ] as [(CutSegment.Filler?, Set<MediaKind>, String, String)]
    )
    func carriedSound(filler: CutSegment.Filler?, others: Set<MediaKind>, text: String, sentence: String) {
        let effect = LossEffect(of: Self.lost(Self.carried), filler, others: others)
        #expect(effect.text == text)
        #expect(effect.sentence == sentence)
    }

    /// In a ladder, one input has the only audio and a rung.
    @Test func picturesAndSoundApart() {
        let lost = Self.lost(Self.pictures, Self.german)
        let effects = LossEffect.effects(of: lost, .hold, others: [.video])
        #expect(effects.map(\.text) == ["they see the last picture of video-180p", "they hear nothing"])
        #expect(LossEffect.effects(of: lost, .hold, others: []).count == 1)
    }

    @Test func picturesWithTheirSound() {
        let lost = Self.lost(Self.carried, Self.pictures)
        #expect(LossEffect(of: lost, nil, others: []).text == "the picture stops (gaps)")
        #expect(LossEffect(of: lost, .hold, others: []).text == "they see the last picture and hear nothing")
    }
}
