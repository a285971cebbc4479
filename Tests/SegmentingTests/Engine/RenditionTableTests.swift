import MediaCore
import Playlists
import TestSupport
import Testing

@testable import Segmenting

@Suite struct RenditionTableTests {
    private static func audio(_ index: Int, _ language: String?) -> InputTrack {
        InputTrack(index: InputTrackIndex(index), kind: .audio, codec: .aac, language: language)
    }
    private static let video = InputTrack(index: 9, kind: .video, codec: .h264)

    /// Makes a table with a place for each track, all at the first position.
    private static func table(_ tracks: [InputTrack]) -> RenditionTable {
        var table = RenditionTable()
        for (index, track) in tracks.enumerated() {
            table.append(ChannelEngine.Rendition(plan: RenditionPlan(track)))
            table.assign(TrackIndex(index), to: 0)
        }
        return table
    }

    @Test func reorderedTracksAreKnownByTheirLanguages() {
        var table = Self.table([Self.audio(0, "en"), Self.audio(1, "de")])
        var tracks = [Self.audio(0, "de"), Self.audio(1, "en")]
        var free = table.positions[0] ?? []
        let claimed = table.match(&tracks, with: &free, before: [0: 0, 1: 1])
        #expect(claimed.map(\.track.index) == [0, 1])
        #expect(claimed.map(\.place) == [1, 0])
        #expect(tracks.isEmpty)
        #expect(free.isEmpty)
    }

    @Test func aTrackOfAnotherLanguageGetsNoPlace() {
        var table = Self.table([Self.audio(0, "en")])
        var tracks = [Self.audio(0, "de")]
        var free = table.positions[0] ?? []
        let claimed = table.match(&tracks, with: &free, before: nil)
        #expect(claimed.isEmpty)
        #expect(tracks == [Self.audio(0, "de")])
        #expect(free == [0])
        #expect(table.mismatch(of: tracks[0], free).contains("de"))
    }

    @Test func aBackupOfAnotherCodecIsNotBlamedForItsLanguage() {
        var table = Self.table([Self.video])
        var tracks = [InputTrack(index: 0, kind: .video, codec: .hevc)]
        var free = table.positions[0] ?? []
        #expect(table.match(&tracks, with: &free, before: nil).isEmpty)
        let reason = table.mismatch(of: tracks[0], free)
        #expect(reason == "its codec is hevc, and that of the tracks that it could stand by for is h264")
    }

    @Test func aPlaceThatWasLeftIsTakenByItsKind() {
        var table = Self.table([Self.video, Self.audio(0, "en")])
        table.leave(1)
        #expect(table.mustDeclare)
        #expect(table.map(\.hasLeft) == [false, true])
        let vacant: Set<TrackIndex> = [1]
        #expect(table.vacantPlace(for: RenditionPlan(Self.audio(3, "de")), at: 0, among: vacant) == 1)
        #expect(table.vacantPlace(for: RenditionPlan(Self.audio(3, "de")), at: 1, among: vacant) == nil)
        #expect(table.vacantPlace(for: RenditionPlan(Self.video), at: 0, among: vacant) == nil)
    }

    @Test func onlyOneAudioIsCarriedWithPictures() {
        var one = Self.table([Self.video, Self.audio(0, nil)])
        one.carryAudio(isStart: true)
        #expect(one.audio(in: 0) == 1)
        var two = Self.table([Self.video, Self.audio(0, "en"), Self.audio(1, "de")])
        two.carryAudio(isStart: true)
        #expect(two.audio(in: 0) == nil)
    }

    @Test(arguments: [["avc1.64001e", "mp4a.40.2"], ["avc1.64001e"]])
    func videoOfAnEarlierRunKeepsItsAudio(codecs: [String]) {
        var table = Self.table([Self.video, Self.audio(0, "en"), Self.audio(1, "de"), Self.video])
        let description = RenditionDescription(id: "video-360p", kind: .video, codecs: codecs)
        table[0].restore(description)
        table.carryAudio(isStart: true)
        #expect(table.audio(in: 0) == (codecs.count > 1 ? 1 : nil))
        #expect(table.audio(in: 3) == nil)
    }

    @Test func audioIsCountedOverAllPositions() {
        var table = RenditionTable()
        let first = [Self.audio(0, "en"), Self.audio(1, "de")]
        let second = [Self.audio(0, "fr")]
        let numbers = first.map { table.audioNumber(of: $0, among: first, at: 0) }
        let others = second.map { table.audioNumber(of: $0, among: second, at: 1) }
        #expect(numbers == [0, 1])
        #expect(others == [2])
    }
}
