import ContentProtection
import Foundation
import MediaCore
import NIOCore
import Operations
import Playlists
import Rekeying
import TestSupport
import Testing

@testable import Assets
@testable import Presentation

@Suite struct AssetLibraryTests {
    private let folder: TemporaryDirectory
    private let now = MadeMedia.time(100)

    init() throws { folder = try TemporaryDirectory() }

    private func library(
        _ recording: MadeRecording,
        _ media: MadeMedia,
        random: @escaping @Sendable () -> UInt128 = { .random(in: 0 ... .max) }
    ) throws -> AssetLibrary {
        let keys = media.keys
        return AssetLibrary(
            directory: folder.file("recordings"),
            channel: "live",
            recording: recording,
            slot: MadeMedia.slot,
            keys: { _ in RecalledKeys(keys) },
            random: random
        )
    }

    private func request(_ from: Double, _ to: Double, _ form: AssetRequest.Form = .copy) -> AssetRequest {
        var request = AssetRequest()
        (request.from, request.to) = (Timestamp(MadeMedia.time(from)), Timestamp(MadeMedia.time(to)))
        request.form = form
        return request
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: folder.file("recordings/\(path)"), encoding: .utf8)
    }

    @Test func aCopyHasAllThatItsPlaylistsName() async throws {
        let media = try MadeMedia(0..<10, protection: .cbcs)
        let library = try library(MadeRecording(media, Array(0..<10)), media)
        let id = try library.add(request(4, 10), now: now).id
        #expect(library.record(id)?.state == .waiting)
        #expect(try library.byteCount(of: "\(id)/index.m3u8") == nil)
        #expect(await library.work(now: now) == .made(id: id, path: "/live/recordings/\(id)/index.m3u8"))
        let record = try #require(library.record(id))
        #expect(record.state == .ready && record.duration == 6 && record.start?.time == MadeMedia.time(4))
        for name in ["video", "audio"] {
            let playlist = try MediaPlaylist(parsing: text("\(id)/\(name).m3u8"))
            #expect(playlist.segments.count == 3)
            for path in playlist.segments.flatMap({ [$0.uri, $0.map?.uri ?? ""] }) {
                let file = "\(id)/\(path)"
                let count = try #require(try library.byteCount(of: file[...]))
                #expect(try library.read(file, 0..<count) == media.bytes(at: path))
            }
        }
        #expect(await library.work(now: now) == nil)
    }

    /// A reload gives the renditions other names, or a rung comes later.
    @Test func renditionsThatComeLaterAreInACopy() async throws {
        let media = try MadeMedia(0..<10)
        let library = try library(MadeRecording(media, Array(0..<10), renamed: 3), media)
        let id = try library.add(request(0, 20), now: now).id
        #expect(await library.work(now: now) == .made(id: id, path: "/live/recordings/\(id)/index.m3u8"))
        #expect(library.record(id)?.duration == 20)
        let index = try MultivariantPlaylist(parsing: text("\(id)/index.m3u8"))
        #expect(index.variants.map(\.uri) == ["video.m3u8", "video-b.m3u8"])
        #expect(index.iFrameVariants.count == 2 && index.renditions.map(\.uri) == ["audio.m3u8"])
        for (name, isGap) in [
            ("video", { $0 >= 3 }), ("video-b", { $0 < 3 }), ("audio", { _ in false }),
        ] as [(String, (Int) -> Bool)] {
            let playlist = try MediaPlaylist(parsing: text("\(id)/\(name).m3u8"))
            #expect(playlist.segments.map(\.isGap) == (0..<10).map(isGap), "\(name)")
        }
    }

    /// A second language for a while, in which the video was larger as well.
    @Test func renditionsThatCameAndWentAreInACopy() async throws {
        let media = try MadeMedia(0..<10)
        let visit = 4..<6
        let recording = MadeRecording(media, Array(0..<10)) { slot in
            guard visit.contains(Int(slot.number.value - MadeRecording.first)) else { return }
            slot.segments["visitor"] = slot.segments["audio"]
        } declare: { number, playlist in
            guard visit.contains(number) else { return }
            playlist.renditions.append(.init(groupID: "audio", name: "visitor", uri: "visitor.m3u8"))
            playlist.variants = [
                .init(
                    uri: "video.m3u8",
                    bandwidth: 3_000_000,
                    codecs: ["avc1.640028", "mp4a.40.2"],
                    resolution: Resolution(width: 1920, height: 1080),
                    audioGroup: "audio"
                )
            ]
        }
        let library = try library(recording, media)
        let id = try library.add(request(0, 20), now: now).id
        _ = await library.work(now: now)
        let index = try MultivariantPlaylist(parsing: text("\(id)/index.m3u8"))
        #expect(index.renditions.map(\.uri) == ["audio.m3u8", "visitor.m3u8"])
        let playlist = try MediaPlaylist(parsing: text("\(id)/visitor.m3u8"))
        #expect(playlist.segments.map(\.isGap) == (0..<10).map { !visit.contains($0) })
        let variant = try #require(index.variants.first)
        #expect(index.variants.count == 1 && variant.resolution == Resolution(width: 1920, height: 1080))
        #expect(variant.codecs == ["avc1.64001e", "mp4a.40.2", "avc1.640028"])
        #expect(try text("\(id)/index.m3u8").contains("#EXT-X-STREAM-INF:BANDWIDTH=3000000,"))
    }

    /// One file has one video: that which has most of the time.
    @Test func aClipIsOfTheRenditionThatWasThereLongest() async throws {
        let media = try MadeMedia(0..<10)
        let library = try library(MadeRecording(media, Array(0..<10), renamed: 3), media)
        let id = try library.add(request(0, 20, .mp4), now: now).id
        _ = await library.work(now: now)
        let count = try #require(try library.byteCount(of: "\(id)/clip.mp4"))
        let movie = try MovieReader(try library.read("\(id)/clip.mp4", 0..<count))
        // Seven slots of two seconds.
        #expect(movie.presented(0).count == 7 * 50)
    }

    @Test func aCopyCanBeRekeyed() async throws {
        let media = try MadeMedia(0..<6, protection: .cbcs)
        let library = try library(MadeRecording(media, Array(0..<6)), media)
        let id = try library.add(request(0, 8), now: now).id
        _ = await library.work(now: now)
        let published = try PublishedDirectory(directory: folder.file("recordings/\(id)"))
        #expect(published.slots.count == 4)
    }

    @Test(arguments: [AssetRequest.Form.copy, .reference])
    func theKeysOfItsTimeAreKnownAsLongAsItIsThere(form: AssetRequest.Form) async throws {
        let media = try MadeMedia(0..<10, protection: .cbcs)
        let recording = MadeRecording(media, Array(0..<10))
        var request = request(4, 10, form)
        request.keepFor = 60
        let first = try library(recording, media)
        let id = try first.add(request, now: now).id
        #expect(await first.work(now: now)?.isFailure == false)
        let start = MediaSequenceNumber(MadeRecording.first + 2)
        // A later process knows them, too.
        let libraries = [first, try library(recording, media)]
        for library in libraries {
            for keyID in media.keys.keys {
                #expect(library.firstSlot(of: keyID, now: now) == start)
                #expect(library.firstSlot(of: keyID, now: now + MediaTime(seconds: 60)) == nil)
            }
            #expect(library.firstSlot(of: KeyID(Bytes16(high: 1, low: 2)), now: now) == nil)
            #expect(library.slotsOfKeys(for: "\(id)/video.m3u8") == [start, start])
            #expect(library.slotsOfKeys(for: "other/video.m3u8").isEmpty)
            // They are no file of the asset.
            #expect(try library.byteCount(of: "\(id)/keys.json") == nil)
            try library.forEachObject(of: id) { path, _ in #expect(path != "keys.json") }
        }
        #expect(try libraries[1].remove(id))
        #expect(media.keys.keys.allSatisfy { libraries[1].firstSlot(of: $0, now: now) == nil })
    }

    @Test func theKeysOfTheOldestAssetsGoFirst() throws {
        let index = ChannelKeyIndex(most: 4)
        func keys(_ range: Range<UInt64>) throws -> ChannelKeySlots {
            let slots = Dictionary(
                uniqueKeysWithValues: range.map { (KeyID(Bytes16(high: 0, low: $0)).description, Int64($0)) }
            )
            return try JSONDecoder().decode(ChannelKeySlots.self, from: JSONEncoder().encode(slots))
        }
        for (id, range) in [("2026-b", 0..<2), ("2026-a", 1..<3), ("2026-c", 3..<5)] as [(String, Range<UInt64>)] {
            index.open(id, try keys(range))
        }
        let holders = (0..<5).map { index.holders(of: KeyID(Bytes16(high: 0, low: $0))).map(\.id) }
        #expect(holders == [["2026-b"], ["2026-b"], [], ["2026-c"], ["2026-c"]])
        #expect(index.holders(of: KeyID(Bytes16(high: 0, low: 3))).first?.slot.value == 3)
    }

    @Test func aReferenceHasNoMedia() async throws {
        let media = try MadeMedia(0..<10)
        let library = try library(MadeRecording(media, Array(0..<10)), media)
        let id = try library.add(request(4, 10, .reference), now: now).id
        _ = await library.work(now: now)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("recordings/\(id)"))
        #expect(
            Set(names) == ["asset.json", "index.m3u8", "video.m3u8", "video-iframes.m3u8", "audio.m3u8"]
        )
    }

    @Test func aClipIsOneFileOfClearSamples() async throws {
        let media = try MadeMedia(0..<10, protection: .cenc)
        let library = try library(MadeRecording(media, Array(0..<10)), media)
        let id = try library.add(request(4.2, 9.4, .mp4), now: now).id
        #expect(await library.work(now: now) == .made(id: id, path: "/live/recordings/\(id)/clip.mp4"))
        let count = try #require(try library.byteCount(of: "\(id)/clip.mp4"))
        let movie = try MovieReader(try library.read("\(id)/clip.mp4", 0..<count))
        #expect(movie.presented(0).map { Int($0.payload[0]) << 8 | Int($0.payload[1]) } == Array(105..<235))
        #expect(library.record(id)?.duration == 5.2)
    }

    @Test func breaksAreCutOutOfAClip() async throws {
        let media = try MadeMedia(0..<10)
        let recording = MadeRecording(media, Array(0..<10)) { slot in
            guard slot.number.value == MadeRecording.first + 2 else { return }
            slot.dateRanges = DateRangeLines(above: [MadeRecording.adBreak("ad", from: 5, to: 7.4)])
        }
        let library = try library(recording, media)
        var request = request(4, 10, .mp4)
        request.cutsBreaks = true
        let id = try library.add(request, now: now).id
        _ = await library.work(now: now)
        let count = try #require(try library.byteCount(of: "\(id)/clip.mp4"))
        let movie = try MovieReader(try library.read("\(id)/clip.mp4", 0..<count))
        let shown = movie.presented(0).map { Int($0.payload[0]) << 8 | Int($0.payload[1]) }
        #expect(shown == Array(100..<125) + Array(185..<250))
    }

    /// Nothing was recorded at the start, for as long as the blocks of a recording last.
    @Test(arguments: [AssetRequest.Form.copy, .reference])
    func whatBeginsInALongHoleIsMadeOfTheRest(form: AssetRequest.Form) async throws {
        let media = try MadeMedia(600..<605)
        let recording = MadeRecording(media, [0] + Array(600..<605))
        let library = try library(recording, media)
        let now = MadeMedia.time(1300)
        let id = try library.add(request(1000, 1208, form), now: now).id
        #expect(await library.work(now: now) == .made(id: id, path: "/live/recordings/\(id)/index.m3u8"))
        #expect(library.record(id)?.duration == 8 && library.record(id)?.start?.time == MadeMedia.time(1200))
    }

    @Test func whatLiesAheadIsMadeWhenItIsRecorded() async throws {
        let media = try MadeMedia(0..<10)
        let recording = MadeRecording(media, Array(0..<10))
        recording.end(at: 4)
        let library = try library(recording, media)
        let start = MadeMedia.time(8)
        let id = try library.add(request(4, 12), now: start).id
        #expect(await library.work(now: start) == nil)
        recording.end(at: 6)
        // A later process goes on with it.
        let later = try self.library(recording, media)
        #expect(later.records.map(\.id) == [id])
        #expect(await later.work(now: MadeMedia.time(12)) == .made(id: id, path: "/live/recordings/\(id)/index.m3u8"))
        #expect(later.record(id)?.duration == 8)
    }

    @Test func aProgrammeIsMadeWhenItsEndIsTold() async throws {
        let media = try MadeMedia(0..<10)
        let recording = MadeRecording(media, Array(0..<10)) { slot in
            var range = DateRange(id: "show", start: MadeMedia.time(4))
            range.className = "com.example.show"
            if slot.number.value == MadeRecording.first + 6 { range.end = MadeMedia.time(12) }
            guard [2, 6].contains(slot.number.value - MadeRecording.first) else { return }
            slot.dateRanges = DateRangeLines(above: [range])
        }
        recording.end(at: 5)
        let library = try library(recording, media)
        var request = AssetRequest()
        request.programme = .className("com.example.show")
        let id = try library.add(request, now: MadeMedia.time(10)).id
        #expect(await library.work(now: MadeMedia.time(10)) == nil)
        recording.end(at: 8)
        #expect(await library.work(now: MadeMedia.time(16)) == .made(id: id, path: "/live/recordings/\(id)/index.m3u8"))
        let record = try #require(library.record(id))
        #expect(record.start?.time == MadeMedia.time(4) && record.end?.time == MadeMedia.time(12))
    }

    @Test func aProgrammeThatDoesNotEndIsGivenUp() async throws {
        let media = try MadeMedia(0..<4)
        let library = try library(MadeRecording(media, Array(0..<4)), media)
        var request = AssetRequest()
        request.programme = .event(7)
        let id = try library.add(request, now: now).id
        #expect(await library.work(now: now) == nil)
        let reason = AssetError.noProgramme.description
        #expect(await library.work(now: now + MediaTime(seconds: 86_400)) == .failed(id: id, reason: reason))
    }

    @Test func anExpiredAssetIsGone() async throws {
        let media = try MadeMedia(0..<10)
        let library = try library(MadeRecording(media, Array(0..<10)), media)
        var request = request(4, 10)
        request.keepFor = 60
        let id = try library.add(request, now: now).id
        _ = await library.work(now: now)
        #expect(await library.work(now: now + MediaTime(seconds: 59)) == nil)
        #expect(await library.work(now: now + MediaTime(seconds: 60)) == .expired(id: id))
        #expect(library.records.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("recordings")).isEmpty)
    }

    /// The others are removed and made meanwhile.
    @Test func whatCannotBeRemovedHoldsUpNothingElse() async throws {
        let media = try MadeMedia(0..<10)
        let library = try library(MadeRecording(media, Array(0..<10)), media)
        var request = request(4, 10)
        request.keepFor = 60
        let id = try library.add(request, now: now).id
        _ = await library.work(now: now)
        let obstacle = folder.file("recordings/\(id).new")
        try FileManager.default.createDirectory(atPath: obstacle + "/a", withIntermediateDirectories: true)
        let later = now + MediaTime(seconds: 60)
        let other = try library.add(self.request(4, 8), now: later).id
        guard case .notRemoved(id, _)? = await library.work(now: later) else {
            Issue.record("it was removed")
            return
        }
        #expect(library.record(id)?.state == .ready)
        #expect(await library.work(now: later) == .made(id: other, path: "/live/recordings/\(other)/index.m3u8"))
        #expect(await library.work(now: later + MediaTime(seconds: 299)) == nil)
        try FileManager.default.removeItem(atPath: obstacle)
        #expect(await library.work(now: later + MediaTime(seconds: 300)) == .expired(id: id))
        #expect(library.records.map(\.id) == [other])
    }

    @Test func anEditHasAURLOfItsOwn() async throws {
        let media = try MadeMedia(0..<10)
        let library = try library(MadeRecording(media, Array(0..<10)), media)
        let first = try library.add(request(4, 10), now: now).id
        let second = try library.add(request(4, 8), now: now).id
        #expect(first != second)
        #expect(try library.remove(first))
        #expect(try !library.remove(first))
        #expect(library.records.map(\.id) == [second])
    }

    @Test func noURLIsGivenAgainNorCanBeGuessed() throws {
        let media = try MadeMedia(0..<10)
        let recording = MadeRecording(media, Array(0..<10))
        let fixed = try library(recording, media, random: { 0xABCD }).add(request(4, 10), now: now).id
        let time = fixed.prefix { $0 != "-" }
        #expect(fixed == "\(time)-0000000000000000000000000000abcd" && time.hasSuffix("Z"))
        let library = try library(recording, media)
        let first = try library.add(request(4, 10), now: now).id
        #expect(try library.remove(first))
        let second = try library.add(request(4, 10), now: now).id
        #expect(first != second && [first, second].allSatisfy { $0.hasPrefix("\(time)-") && $0.count == fixed.count })
    }

    @Test func whatCannotBeMadeSaysWhy() async throws {
        let media = try MadeMedia(0..<4)
        // The playlists name segments that are not there.
        let recording = MadeRecording(try MadeMedia(0..<2), Array(0..<2)) { slot in
            slot.segments["video"]?.line.uri = "video/999.m4s"
        }
        let library = try library(recording, media)
        let id = try library.add(request(0, 4), now: now).id
        guard case .failed(id, let reason)? = await library.work(now: now) else {
            Issue.record("it was made")
            return
        }
        #expect(reason.contains("video/999.m4s"))
        #expect(library.record(id)?.state == .failed && library.record(id)?.problem == reason)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("recordings/\(id)")) == ["asset.json"])
        // It takes the place of another for a week.
        let week = MediaTime(seconds: 7 * 86_400)
        #expect(await library.work(now: now + week - MediaTime(ticks: 1)) == nil)
        #expect(await library.work(now: now + week) == .expired(id: id))
        #expect(library.records.isEmpty)
    }

    /// Of a recording of days, a disk may have lost some blocks.
    @Test func aProgrammeIsFoundBehindDamagedSlots() async throws {
        let media = try MadeMedia(0..<10)
        let recording = MadeRecording(media, Array(0..<10)) { slot in
            guard slot.number.value == MadeRecording.first + 6 else { return }
            var range = DateRange(id: "show", start: MadeMedia.time(12))
            range.className = "com.example.show"
            range.end = MadeMedia.time(16)
            slot.dateRanges = DateRangeLines(above: [range])
        }
        recording.end(at: 5)
        let library = try library(recording, media)
        var request = AssetRequest()
        request.programme = .className("com.example.show")
        let id = try library.add(request, now: now).id
        recording.isDamaged(true)
        for _ in 0..<ProgrammeSearch.mostFailures { #expect(await library.work(now: now) == nil) }
        // These are read once they can be.
        recording.end(at: 10)
        // The recording ends long before the request, so nothing more is waited for.
        let later = now + MediaTime(seconds: 60)
        #expect(await library.work(now: later) == nil)
        recording.isDamaged(false)
        #expect(await library.work(now: later) == .made(id: id, path: "/live/recordings/\(id)/index.m3u8"))
    }

    @Test func onlyFilesOfReadyAssetsAreServed() async throws {
        let media = try MadeMedia(0..<4)
        let library = try library(MadeRecording(media, Array(0..<4)), media)
        let id = try library.add(request(0, 4), now: now).id
        _ = await library.work(now: now)
        for path in [
            "\(id)", "\(id)/", "\(id)/asset.json", "\(id)/../\(id)/index.m3u8", "../recordings/\(id)/index.m3u8",
        ] {
            #expect(try library.byteCount(of: path[...]) == nil, "\(path)")
        }
        #expect(try library.byteCount(of: "\(id)/index.m3u8") != nil)
        #expect(try library.byteCount(of: "other/index.m3u8") == nil)
    }

    /// A file that somebody has left there, and records that cannot be read, hide nothing else.
    @Test func whatCannotBeReadIsLeftOut() throws {
        let media = try MadeMedia(0..<4)
        let recording = MadeRecording(media, Array(0..<4))
        let id = try library(recording, media).add(request(0, 4), now: now).id
        try Data("notes".utf8).write(to: URL(filePath: folder.file("recordings/!notes.txt")))
        for (name, bytes) in [("broken", 5), ("large", 2 << 20)] {
            let stranger = folder.file("recordings/\(name)")
            try FileManager.default.createDirectory(atPath: stranger, withIntermediateDirectories: true)
            try Data(count: bytes).write(to: URL(filePath: stranger + "/asset.json"))
        }
        var events: [AssetEvent] = []
        let later = AssetLibrary(
            directory: folder.file("recordings"),
            channel: "live",
            recording: recording,
            slot: MadeMedia.slot,
            keys: { _ in RecalledKeys([:]) },
            note: { events.append($0) }
        )
        #expect(later.records.map(\.id) == [id])
        guard events.count == 1, case .skipped(3, let reason) = events[0] else {
            Issue.record("nothing is said of it")
            return
        }
        #expect(reason.contains("!notes.txt"))
    }

    @Test func anotherProgramsDirectoriesAreLeftAlone() throws {
        let stranger = folder.file("recordings/stranger")
        try FileManager.default.createDirectory(atPath: stranger, withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: URL(filePath: stranger + "/asset.json"))
        let media = try MadeMedia(0..<4)
        #expect(try library(MadeRecording(media, Array(0..<4)), media).records.isEmpty)
        #expect(FileManager.default.fileExists(atPath: stranger))
    }
}
