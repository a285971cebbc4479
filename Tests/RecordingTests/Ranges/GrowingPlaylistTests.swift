import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

@testable import Recording

/// A playlist of the past that players follow while holes of the recording are filled.
@Suite(.timeLimit(.minutes(5))) struct GrowingPlaylistTests {
    private static let terms = PastTerms(
        segmentDuration: MediaTime(seconds: 4),
        targetDuration: 6,
        windowDuration: MediaTime(seconds: 28)
    )

    /// The keys of the skipped segments stay in force below EXT-X-SKIP, and must not cover a map in the clear.
    ///
    /// The update begins within a block, with the last slot of a key, and with the first of a block.
    @Test(arguments: [600, 593, 320])
    func deltaUpdatesKeepMapsClear(slots: Int64) throws {
        var channel = RecordedChannel(try MemoryFileSystem().openRecording())
        for _ in 0..<slots { try channel.publish(period: channel.number / 3, hasClearMap: true) }
        channel.finish()
        let update = try Self.text(of: RecordedChannel.video, channel.recording, skip: .v2)
        let tags = update.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-KEY") || $0.hasPrefix("#EXT-X-MAP") }
        #expect(update.contains("#EXT-X-SKIP:SKIPPED-SEGMENTS="))
        #expect(tags.first == "#EXT-X-KEY:METHOD=NONE")
        #expect(tags.dropFirst().first?.hasPrefix("#EXT-X-MAP") == true)
    }

    private static func text(
        of id: RenditionID,
        _ recording: Recording,
        skip: SkipDirective? = nil
    ) throws -> String {
        let start = RecordedChannel.first * 4
        let now = MediaTime(seconds: start + 2400)
        let section = try PastSection(.span(start: start, end: nil), in: recording.extent, terms, now: now)
        #expect(section.phase == .growing)
        return String(buffer: try recording.playlist(of: id, section, skip: skip, terms, variables: []).body)
    }

    @Test(arguments: [RecordedChannel.video, RecordedChannel.audio, RecordedChannel.video.iFrames])
    func whatIsFilledInChangesNothingElse(id: RenditionID) throws {
        let holes = Set(20..<31).union(150..<450).union(500..<504)
        let holed = try HealingPlanTests.recording(away: [20..<31, 150..<450], silent: [500..<504])
        let (text, update) = (try Self.text(of: id, holed), try Self.text(of: id, holed, skip: .v2))
        var simulation = HealingSimulation(holed, from: try HealingPlanTests.whole.get())
        try simulation.run()
        let before = try MediaPlaylist(parsing: text)
        let after = try MediaPlaylist(parsing: try Self.text(of: id, holed))
        #expect(before.segments.count == 600 && after.segments.count == 600)
        #expect(after.segments.allSatisfy { !$0.isGap })
        #expect(after.mediaSequence == before.mediaSequence)
        #expect(after.discontinuitySequence == before.discontinuitySequence)
        #expect(after.targetDuration == before.targetDuration)
        for index in before.segments.indices where !holes.contains(index) {
            #expect(after.segments[index] == before.segments[index], "slot \(index)")
        }
        for index in holes { #expect(after.segments[index].uri == before.segments[index].uri, "slot \(index)") }
        // Who asks for delta updates has had the holes for long.
        #expect(update.contains("#EXT-X-SKIP:SKIPPED-SEGMENTS="))
        #expect(try Self.text(of: id, holed, skip: .v2) == update)
    }
}
