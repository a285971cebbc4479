import MediaCore
import Playlists
import Presentation
import SegmentingSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// The history of what is on air, against the publications; slots take four seconds.
@Suite struct OnAirMonitorTests {
    private let feed = ChannelFeed()

    private static func runs(_ monitor: OnAirMonitor, _ id: RenditionID) -> [String] {
        let runs = monitor.history.renditions.first { $0.id == id }?.runs ?? []
        return runs.map { run in
            let (start, end) = (run.start - Epoch.time, run.end - Epoch.time)
            return "\(run.source) \(start.milliseconds / 1000)-\(end.milliseconds / 1000)"
        }
    }

    @Test func itSeesInputsBackupsAndGaps() {
        let fixture = ChannelFixture(source: .pts, backupCount: 1)
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        let primary = fixture.channel.makeInput(.input(0), pace: .live)
        let backup = fixture.channel.makeInput(.backup(0, inputCount: 1), pace: .live)
        for input in [primary, backup] { feed.open(input) }
        feed.sendLive(0..<9_000, at: 0, to: [primary, backup], of: fixture)
        primary.inputLost(reason: "cut")
        feed.sendLive(9_000..<16_000, at: 9_000, to: [backup], of: fixture)
        backup.inputLost(reason: "cut")
        fixture.wait(until: 30_000)
        let monitor = fixture.channel.monitor
        for rendition: RenditionID in ["video-180p", "audio"] {
            let runs = Self.runs(monitor, rendition)
            #expect(runs.prefix(2) == ["input-1 0-8", "backup-1 8-16"], "\(rendition)")
            #expect(runs.count == 3 && runs.last?.hasPrefix("none 16-") == true, "\(runs)")
        }
    }

    /// The window of an earlier run says who filled its slots.
    @Test func itKnowsWhatAnEarlierRunHasPublished() throws {
        let old = ChannelFixture(source: .pts, backupCount: 1)
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        let inputs = old.channel.configuration.inputs.map { old.channel.makeInput($0, pace: .live) }
        for input in inputs { feed.open(input) }
        feed.sendLive(0..<8_000, at: 0, to: inputs, of: old)
        inputs[0].inputLost(reason: "cut")
        feed.sendLive(8_000..<16_000, at: 8_000, to: [inputs[1]], of: old)
        let saved = old.presentation.saved
        let bodies = saved.files.compactMap { file in old.bytes(file.path).map { (file.path, $0) } }
        let fixture = ChannelFixture(source: .pts, backupCount: 1)
        fixture.clock.set(Epoch.at(17_000))
        fixture.channel.restore(RestoredWindow(window: saved, bodies: Dictionary(uniqueKeysWithValues: bodies)))
        #expect(Self.runs(fixture.channel.monitor, "video-180p") == Self.runs(old.channel.monitor, "video-180p"))
        #expect(Self.runs(fixture.channel.monitor, "video-180p").contains { $0.hasPrefix("backup-1") })
    }

    /// An encoder that takes the place of another may have its video elsewhere.
    @Test func aTrackThatHasGoneHasNoKeyFrame() throws {
        let fixture = ChannelFixture(monitor: OnAirMonitor(keepsPictures: true))
        let keyFrames = NewestKeyFrames()
        let input = fixture.channel.makeInput(.input(0), pace: .live, keyFrames: keyFrames)
        feed.open(input)
        feed.sendLive(0..<5_000, at: 0, to: input, of: fixture)
        #expect(keyFrames.smallest != nil)
        var tracks = feed.tracks
        for index in tracks.indices { tracks[index].index = InputTrackIndex(tracks[index].index.value + 10) }
        input.inputOpened(tracks: tracks, timestampModulus: ChannelFeed.modulus)
        #expect(keyFrames.smallest == nil)
    }

    /// The key frame is taken before anything encrypts it; in a gap there is none.
    @Test func itKeepsTheNewestKeyFrame() throws {
        let monitor = OnAirMonitor(keepsPictures: true)
        let fixture = ChannelFixture(monitor: monitor)
        let frames = try #require(monitor.keyFrames)
        let keyFrames = NewestKeyFrames()
        let input = fixture.channel.makeInput(.input(0), pace: .live, keyFrames: keyFrames)
        #expect(keyFrames.smallest == nil && frames.smallest == nil)
        feed.open(input)
        feed.sendLive(0..<10_000, at: 0, to: input, of: fixture)
        let onAir = try #require(frames.smallest)
        let newest = try #require(keyFrames.smallest)
        #expect(onAir.configuration == newest.configuration)
        #expect(onAir.configuration.kind == .video)
        input.inputLost(reason: "cut")
        #expect(keyFrames.smallest == nil)
        fixture.wait(until: 30_000)
        #expect(frames.smallest == nil)
    }
}
