import Foundation
import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import TestSupport
import Testing

@testable import Assets

/// The files of assets, as servers elsewhere are sent them.
@Suite struct AssetObjectsTests {
    private let folder: TemporaryDirectory
    private let now = MadeMedia.time(100)

    init() throws { folder = try TemporaryDirectory() }

    /// Makes a library with an asset of slots 2 to 4.
    private func asset(
        _ form: AssetRequest.Form,
        _ protection: MadeMedia.Protection = .none,
        change: (inout ListedSlot) -> Void = { _ in }
    ) async throws -> (library: AssetLibrary, id: String, media: MadeMedia) {
        let media = try MadeMedia(0..<10, protection: protection)
        let library = AssetLibrary(
            directory: folder.file("recordings"),
            channel: "live",
            recording: MadeRecording(media, Array(0..<10), change: change),
            slot: MadeMedia.slot,
            keys: { [keys = media.keys] _ in RecalledKeys(keys) },
            thumbnail: { _ in ByteBuffer(string: "picture") }
        )
        var request = AssetRequest()
        (request.from, request.to) = (Timestamp(MadeMedia.time(4)), Timestamp(MadeMedia.time(10)))
        request.form = form
        let id = try library.add(request, now: now).id
        #expect(await library.work(now: now)?.isFailure == false)
        return (library, id, media)
    }

    private func objects(_ library: AssetLibrary, _ id: String) throws -> [(path: String, stage: Int)] {
        var objects: [(path: String, stage: Int)] = []
        try library.forEachObject(of: id) { objects.append(($0, $1)) }
        return objects
    }

    private func text(_ library: AssetLibrary, _ path: String, _ id: String) throws -> String {
        String(buffer: try #require(try library.object(path, of: id)).read())
    }

    /// Each object is named once, after all that it names itself, and has bytes.
    private func expectWhole(_ library: AssetLibrary, _ id: String) throws {
        var known: Set<String> = []
        var last = 0
        for (path, stage) in try objects(library, id) {
            #expect(stage >= last && known.insert(path).inserted, "\(path)")
            last = stage
            let body = try #require(try library.object(path, of: id), "\(path)")
            #expect(try body.read().readableBytes == body.byteCount)
            guard path.hasSuffix(".m3u8") else { continue }
            let text = String(buffer: try body.read())
            if MultivariantName(rawValue: path) != nil {
                #expect(try Set(MultivariantPlaylist(parsing: text).uris).isSubset(of: known))
            } else {
                let segments = try MediaPlaylist(parsing: text).segments.filter { !$0.isGap }
                let named = segments.flatMap { [$0.uri, $0.map?.uri ?? $0.uri] }
                #expect(named.allSatisfy(known.contains), "\(path)")
            }
        }
        #expect(known.contains("index.m3u8") && !known.contains("asset.json"))
    }

    @Test func aCopyIsSentAsItIs() async throws {
        let (library, id, media) = try await asset(.copy)
        try expectWhole(library, id)
        let stages = Dictionary(uniqueKeysWithValues: try objects(library, id).map { ($0.path, $0.stage) })
        #expect(stages["poster.jpg"] == 1 && stages["thumbnails/0.jpg"] == 1 && stages["thumbnails.vtt"] == 2)
        #expect(stages["video.m3u8"] == 3 && stages["video-iframes.m3u8"] == 3 && stages["index.m3u8"] == 4)
        for (path, stage) in stages where stage == 0 {
            #expect(try library.object(path, of: id)?.read() == media.bytes(at: path), "\(path)")
        }
        let served = try #require(try library.byteCount(of: "\(id)/video.m3u8"))
        #expect(try text(library, "video.m3u8", id) == String(buffer: try library.read("\(id)/video.m3u8", 0..<served)))
    }

    /// A playlist elsewhere has the media in the directory of the asset, and the keys where they were.
    @Test(arguments: [MadeMedia.Protection.none, .cbcs])
    func aReferenceIsSentWithItsMedia(protection: MadeMedia.Protection) async throws {
        let (library, id, media) = try await asset(.reference, protection)
        try expectWhole(library, id)
        let paths = try objects(library, id).filter { $0.stage == 0 }.map(\.path)
        #expect(paths.count { $0.hasSuffix(".m4s") } == 6, "\(paths)")
        for path in paths {
            let body = try #require(try library.object(path, of: id))
            let bytes = try #require(try media.bytes(at: path))
            #expect(
                try body.read() == bytes && body.read(1..<5) == bytes.getSlice(at: bytes.readerIndex + 1, length: 4)
            )
        }
        let count = try #require(try library.byteCount(of: "\(id)/video.m3u8"))
        let served = try MediaPlaylist(parsing: String(buffer: try library.read("\(id)/video.m3u8", 0..<count)))
        let sent = try MediaPlaylist(parsing: text(library, "video.m3u8", id))
        #expect(sent.segments.map(\.uri) == served.segments.map { $0.uri.replacing("../../", with: "") })
        #expect(sent.segments.map(\.keys) == served.segments.map(\.keys))
        #expect(served.segments.allSatisfy { $0.uri.hasPrefix("../../") })
    }

    @Test func whatTheRecordingLacksIsNotNamed() async throws {
        let (library, id, _) = try await asset(.reference) { slot in
            if slot.number.value == MadeRecording.first + 3 { slot.segments["audio"] = nil }
        }
        try expectWhole(library, id)
        let paths = try objects(library, id).map(\.path)
        #expect(paths.count { $0.hasPrefix("audio/") && $0.hasSuffix(".m4s") } == 2, "\(paths)")
    }

    @Test func aClipIsOneFile() async throws {
        let (library, id, _) = try await asset(.mp4)
        #expect(try objects(library, id).map(\.path) == ["clip.mp4"])
        let body = try #require(try library.object("clip.mp4", of: id))
        #expect(try body.byteCount == library.byteCount(of: "\(id)/clip.mp4"))
    }

    @Test func onlyWhatWasRemovedIsGone() async throws {
        let (library, id, _) = try await asset(.copy)
        #expect(library.readyIDs == [id] && !library.isGone(id) && library.isGone("never"))
        // A later process cannot read its record.
        let record = folder.file("recordings/\(id)/asset.json")
        try Data("{".utf8).write(to: URL(filePath: record))
        let media = try MadeMedia(0..<4)
        let later = AssetLibrary(
            directory: folder.file("recordings"),
            channel: "live",
            recording: MadeRecording(media, Array(0..<4)),
            slot: MadeMedia.slot,
            keys: { _ in RecalledKeys([:]) }
        )
        #expect(later.readyIDs.isEmpty && !later.isGone(id))
        #expect(try library.remove(id))
        #expect(library.isGone(id) && later.isGone(id))
        #expect(try objects(library, id).isEmpty)
    }
}
