import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import TestSupport
import Testing

/// Directories of a real disk that disappear while they are recorded in.
@Suite(.timeLimit(.minutes(5))) struct RecordingPlaceTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("live")
    }

    private func open(_ events: Events = Events()) throws -> Recording {
        try Recording.open(
            path,
            identity: ["clock": "pts"],
            segmentDuration: MediaTime(seconds: 4),
            onEvent: events.append
        )
    }

    /// As when its disk is unmounted, while a block ends and the next one begins.
    @Test(arguments: [false, true]) func nothingIsWrittenWhereTheDirectoryWas(isReplaced: Bool) throws {
        let (files, away, events) = (FileManager.default, directory.file("away"), Events())
        var channel = RecordedChannel(try open(events))
        try channel.publish(count: 3)
        channel.finish()
        try files.moveItem(atPath: path, toPath: away)
        if isReplaced { try files.createDirectory(atPath: path, withIntermediateDirectories: false) }
        try channel.publish(count: 40)
        channel.finish()
        #expect(channel.recording.health.problem?.hasSuffix("has gone or was replaced") == true)
        #expect(channel.recording.statistics.unwritten == 40 && events.all.count == 1)
        #expect(files.fileExists(atPath: path) == isReplaced)
        if isReplaced {
            #expect(try files.contentsOfDirectory(atPath: path).isEmpty)
            try files.removeItem(atPath: path)
        }
        try files.moveItem(atPath: away, toPath: path)
        try channel.publish(count: 2)
        channel.finish()
        #expect(channel.recording.health.isHealthy && events.all.count == 2)
        channel.recording.close()
        let recording = try open()
        #expect(recording.extent == channel.numbers)
        let segments = try recording.playlist(RecordedChannel.video, channel.numbers).segments
        #expect(segments.map(\.isGap) == (0..<45).map { (3..<43).contains($0) })
    }

    @Test func anIndexThatIsGoneIsWrittenAgain() throws {
        var channel = RecordedChannel(try open())
        try channel.publish(count: 3)
        channel.finish()
        try FileManager.default.removeItem(atPath: "\(path)/\(RecordedChannel.first / 256)/index")
        try channel.publish(count: 3)
        channel.finish()
        #expect(channel.recording.health.isHealthy && channel.recording.statistics.unwritten == 0)
        let slots = try channel.recording.slots(in: channel.numbers)
        #expect(slots.map(\.number) == Array(channel.numbers))
        channel.recording.close()
        let recording = try open()
        #expect(try recording.slots(in: channel.numbers) == slots)
        for number in channel.numbers {
            let bytes = RecordedChannel.bytes(RecordedChannel.video, number.value)
            #expect(try recording.bytes("video-1080p/\(number).m4s") == bytes)
        }
    }
}
