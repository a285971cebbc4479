import Files
import Foundation
import MediaCore
import NIOCore
import Operations
import Playlists
import TestSupport
import Testing

@testable import Assets
@testable import Presentation
@testable import Recording

/// Finished recordings that are made of the directory of a recording.
@Suite(.timeLimit(.minutes(5))) struct AssetExportTests {
    private let folder: TemporaryDirectory
    private let directory: String

    init() throws {
        folder = try TemporaryDirectory()
        directory = folder.file("live")
    }

    /// Records slots as the channel `live` does.
    ///
    /// - Returns: The recording, which is open.
    private func record(_ media: MadeMedia, _ slots: [Int]) throws -> Recording {
        let recording = try Recording.open(
            directory,
            identity: ["name": "live"],
            segmentDuration: MadeMedia.slot,
            onEvent: { _ in }
        )
        let made = MadeRecording(media, slots) { slot in
            for (id, segment) in slot.segments {
                guard let body = media.bodies[segment.line.uri],
                    let section = media.bodies[segment.line.map?.uri ?? ""]
                else { continue }
                slot.segments[id]?.line.uri = "\(id)/\(slot.number).m4s"
                slot.segments[id]?.byteCount = body.readableBytes
                slot.segments[id]?.entityTag = ContentHash(of: body).entityTag
                slot.segments[id]?.mapEntityTag = ContentHash(of: section).entityTag
            }
        }
        let texts = made.multivariants(at: MediaSequenceNumber(MadeRecording.first))
        recording.declare(Declaration(renditions: [], multivariants: texts))
        for slot in made.slots {
            let name = "/\(slot.number.value - MadeRecording.first)."
            recording.record(slot) { path in media.bodies[path.replacing("/\(slot.number).", with: name)] }
        }
        recording.finish()
        return recording
    }

    private func request(_ from: Double, _ to: Double, _ form: AssetRequest.Form = .copy) -> AssetRequest {
        var request = AssetRequest()
        (request.from, request.to) = (Timestamp(MadeMedia.time(from)), Timestamp(MadeMedia.time(to)))
        request.form = form
        return request
    }

    /// All files of the recording, by their paths.
    private func files() throws -> [String: Data?] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: directory)
        return Dictionary(
            uniqueKeysWithValues: paths.map { ($0, FileManager.default.contents(atPath: "\(directory)/\($0)")) }
        )
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func aCopyIsMadeWhileTheRecordingIsOpen() async throws {
        let media = try MadeMedia(0..<10, protection: .cbcs)
        let recording = try record(media, Array(0..<10))
        let before = try files()
        let copy = folder.file("show")
        let export = try AssetExport(of: directory, channel: "live")
        try export.check(request(4, 10), now: MadeMedia.time(100))
        let made = try await export.make(request(4, 10), at: copy)
        #expect(made.file == "index.m3u8" && made.duration == MediaTime(seconds: 6))
        let index = try String(contentsOfFile: "\(copy)/index.m3u8", encoding: .utf8)
        #expect(try MultivariantPlaylist(parsing: index).variants.map(\.uri) == ["video.m3u8"])
        for name in ["video", "audio"] {
            let playlist = try MediaPlaylist(parsing: String(contentsOfFile: "\(copy)/\(name).m3u8", encoding: .utf8))
            #expect(playlist.isEnded && playlist.segments.count == 3)
            for (offset, segment) in playlist.segments.enumerated() {
                let expected = try #require(media.bodies["\(name)/\(offset + 2).m4s"])
                let bytes = try Data(contentsOf: URL(filePath: "\(copy)/\(segment.uri)"))
                #expect(bytes == Data(expected.readableBytesView), "\(segment.uri)")
                #expect(segment.keys.first?.uri.hasPrefix("../../keys/") == true)
                #expect(FileManager.default.fileExists(atPath: "\(copy)/\(segment.map?.uri ?? "none")"))
            }
        }
        #expect(try files() == before)
        #expect(try names() == ["live", "show"])
        recording.close()
    }

    @Test func aClipIsOneFile() async throws {
        let media = try MadeMedia(0..<10)
        try record(media, Array(0..<10)).close()
        let clip = folder.file("clip.mp4")
        let export = try AssetExport(of: directory, channel: "live")
        let made = try await export.make(request(4.2, 9.4, .mp4), at: clip)
        #expect(made.duration.milliseconds == 5200)
        let movie = try MovieReader(try #require(try LocalFileSystem.published.read(clip, limit: 1 << 30)))
        #expect(movie.presented(0).map { Int($0.payload[0]) << 8 | Int($0.payload[1]) } == Array(105..<235))
        #expect(try names() == ["clip.mp4", "live"])
    }

    @Test func aClipOfEncryptedMediaSaysWhatItNeeds() async throws {
        let media = try MadeMedia(0..<10, protection: .cenc)
        try record(media, Array(0..<10)).close()
        let export = try AssetExport(of: directory, channel: "live")
        await #expect(throws: AssetError.withoutKeys) {
            try await export.make(request(4, 10, .mp4), at: folder.file("clip.mp4"))
        }
        #expect(try names() == ["live"])
    }

    @Test func aTimeOfWhichNothingIsRecordedIsRefused() throws {
        try record(MadeMedia(0..<2), [0, 1]).close()
        let export = try AssetExport(of: directory, channel: "live")
        let error = #expect(throws: AssetRefusal.self) {
            try export.check(request(50, 60), now: MadeMedia.time(100))
        }
        #expect(error?.description.contains(MadeMedia.time(4).iso8601) == true)
    }

    @Test func aTimeOfGapsHasNothingRecorded() async throws {
        try record(MadeMedia(0..<10), [0, 1, 2, 8, 9]).close()
        let export = try AssetExport(of: directory, channel: "live")
        try export.check(request(9, 12), now: MadeMedia.time(100))
        for form in [AssetRequest.Form.copy, .mp4] {
            let error = await #expect(throws: (any Error).self) {
                try await export.make(request(9, 12, form), at: folder.file("show"))
            }
            #expect(error.map { "\($0)" } == "nothing of that time is recorded")
        }
        #expect(try names() == ["live"])
    }

    @Test func whatIsNotTheRecordingOfTheChannelIsRefused() throws {
        try record(MadeMedia(0..<2), [0, 1]).close()
        #expect(throws: RecordingError.self) { try AssetExport(of: directory, channel: "other") }
        let error = #expect(throws: RecordingError.self) { try AssetExport(of: folder.path, channel: "live") }
        #expect(error?.description.contains("no recording.json") == true)
    }
}
