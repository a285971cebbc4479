import ContentProtection
import Foundation
import Inspection
import MediaCore
import NIOCore
import Operations
import Playlists
import Rekeying
import TestSupport
import Testing

@testable import Assets
@testable import Presentation

/// Assets that have keys of their own.
@Suite struct RekeyedAssetTests {
    private let folder: TemporaryDirectory
    private let now = MadeMedia.time(100)

    init() throws { folder = try TemporaryDirectory() }

    /// The schedule that the keys of assets derive from.
    private static func schedule() throws -> KeySchedule {
        KeySchedule(secret: try #require(MasterSecret(Array(1...32))), channel: "live", slotsPerPeriod: 4)
    }

    private static func derivedKeys() throws -> AssetKeys {
        let schedule = try schedule()
        return AssetKeys(classes: schedule.classes.all) { schedule.schedule(ofRecording: $0) }
    }

    private func library(
        _ recording: MadeRecording,
        _ known: RecalledKeys,
        newKeys: AssetKeys? = nil
    ) throws -> AssetLibrary {
        AssetLibrary(
            directory: folder.file("recordings"),
            channel: "live",
            recording: recording,
            slot: MadeMedia.slot,
            keys: { _ in known },
            newKeys: try newKeys ?? Self.derivedKeys()
        )
    }

    private func request(_ from: Double, _ to: Double) -> AssetRequest {
        var request = AssetRequest()
        (request.from, request.to) = (Timestamp(MadeMedia.time(from)), Timestamp(MadeMedia.time(to)))
        request.keys = .new
        return request
    }

    private func playlist(_ id: String, _ name: String) throws -> MediaPlaylist {
        let path = folder.file("recordings/\(id)/\(name).m3u8")
        return try MediaPlaylist(parsing: String(contentsOfFile: path, encoding: .utf8))
    }

    /// The samples of segments, in the clear.
    private static func samples(
        of segments: [(number: MediaSequenceNumber, line: MediaPlaylist.Segment)],
        _ opener: SegmentOpener,
        _ read: (String) throws -> ByteBuffer?
    ) throws -> [[UInt8]] {
        try segments.flatMap { number, line in
            let map = try #require(line.map)
            let head = try opener.opened(try #require(try read(map.uri)), map.uri, number: nil, keys: map.keys)
            let section = try ParsedInitialization(head)
            let sealed = try #require(try read(line.uri))
            var bytes = try opener.opened(sealed, line.uri, number: number, keys: line.keys)
            let samples = try ParsedFragment.fragments(in: bytes, initialization: section).flatMap(\.samples)
            try opener.open(&bytes, line.uri, samples: samples, of: section.track, keys: line.keys)
            return samples.map { sample in
                bytes.getBytes(at: bytes.readerIndex + sample.range.lowerBound, length: sample.size) ?? []
            }
        }
    }

    /// A recording in which segments that are encrypted as a whole have the vectors that ``MadeMedia`` gave them.
    private static func recording(
        _ media: MadeMedia,
        _ slots: [Int],
        _ protection: MadeMedia.Protection
    ) -> MadeRecording {
        MadeRecording(media, slots) { slot in
            guard protection == .aes128 else { return }
            let vector = MediaSequenceNumber(slot.number.value - MadeRecording.first).initializationVector
            for id in slot.segments.keys { slot.segments[id]?.line.keys[0].initializationVector = vector }
        }
    }

    @Test(arguments: [MadeMedia.Protection.cbcs, .cenc, .aes128])
    func samplesAreTheSameUnderOneNewKey(protection: MadeMedia.Protection) async throws {
        // A slot is missing, so that numbers of segments and places in playlists differ.
        let media = try MadeMedia(0..<10, protection: protection)
        let recording = Self.recording(media, [0, 1, 2, 3, 5, 6, 7, 8, 9], protection)
        let library = try library(recording, RecalledKeys(media.keys))
        let id = try library.add(request(4, 14), now: now).id
        #expect(await library.work(now: now) == .made(id: id, path: "/live/recordings/\(id)/index.m3u8"))
        let schedule = try Self.schedule().schedule(ofRecording: id)
        let keys = try schedule.classes.all.map { try schedule.keys(for: CryptoPeriod(0), $0) }
        let opener = SegmentOpener(known: Dictionary(keys.map { ($0.keyID, $0) }) { first, _ in first })
        for (name, keyClass, before) in [("video", KeyClass.video, media.video), ("audio", .audio, media.audio)] {
            let playlist = try playlist(id, name)
            let key = try #require(keys.first { $0.keyClass == keyClass })
            #expect(Set(playlist.segments.flatMap(\.keys).map(\.uri)) == ["../../keys/\(key.keyID)"])
            #expect(playlist.isOnDemand && playlist.segments.count == 4)
            let listed = playlist.segments.enumerated().map { index, line in
                (number: MediaSequenceNumber(playlist.mediaSequence.value + Int64(index)), line: line)
            }
            let read = { (path: String) in
                ByteBuffer(bytes: try Data(contentsOf: URL(filePath: self.folder.file("recordings/\(id)/\(path)"))))
            }
            let recorded = before.segments.filter { [2, 3, 5, 6].contains($0.number.value) }
                .map { (number: $0.number, line: $0.line) }
            let samples = try Self.samples(of: listed, opener, read)
            #expect(try samples == Self.samples(of: recorded, media.opener, media.bytes(at:)))
            #expect(samples.count > 100)
            // The key of that time does not open it.
            #expect(throws: RekeyingError.self) { try Self.samples(of: listed, media.opener, read) }
            for (segment, original) in zip(listed, recorded) {
                #expect(try read(segment.line.uri) != media.bytes(at: original.line.uri))
            }
        }
        let record = try #require(library.record(id))
        #expect(record.keyIDs == AssetLibrary.keyIDs(keys))
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.file("recordings/\(id)"))
        let files = paths.filter { $0 != "asset.json" }.map { folder.file("recordings/\(id)/\($0)") }
        let contents = files.map { FileManager.default.contents(atPath: $0) ?? Data() }
        #expect(record.byteCount == contents.reduce(0) { $0 + $1.count })
        let secrets = keys.map { Data($0.contentKey.bytes) }
        #expect(secrets.allSatisfy { secret in contents.allSatisfy { $0.range(of: secret) == nil } })
    }

    /// Players begin at the picture, as in other copies, and have the chapters.
    @Test func theMultivariantPlaylistIsThatOfACopy() async throws {
        let media = try MadeMedia(0..<10, protection: .cbcs)
        let library = try library(MadeRecording(media, Array(0..<10)), RecalledKeys(media.keys))
        var request = request(4.4, 10)
        request.chapters = [AssetChapter(start: MadeMedia.time(6), title: "One")]
        let rekeyed = try library.add(request, now: now).id
        request.keys = .same
        let copied = try library.add(request, now: now).id
        for _ in 0..<2 { #expect(await library.work(now: now)?.isFailure == false) }
        let texts = try [rekeyed, copied].map { id in
            try String(contentsOfFile: folder.file("recordings/\(id)/index.m3u8"), encoding: .utf8)
        }
        #expect(texts[0] == texts[1] && texts[0].contains("#EXT-X-START:TIME-OFFSET="), "\(texts[0])")
        #expect(try library.byteCount(of: "\(rekeyed)/chapters.json") != nil)
        #expect(
            try library.byteCount(of: "\(copied)/chapters.json") == library.byteCount(of: "\(rekeyed)/chapters.json")
        )
    }

    @Test func keysOfAnAssetAreRelatedToNoOthers() throws {
        let schedule = try Self.schedule()
        let all = try ["a", "b"].map { try schedule.schedule(ofRecording: $0).keys(for: CryptoPeriod(0), .video) }
        let live = try [Int64(-1), 0, 1].map { try schedule.keys(for: CryptoPeriod($0), .video) }
        #expect(Set((all + live).map(\.keyID)).count == 5 && Set((all + live).map(\.contentKey)).count == 5)
        // Whoever has the secret derives the same.
        #expect(try Self.schedule().schedule(ofRecording: "a").keys(for: CryptoPeriod(0), .video) == all[0])
    }

    @Test func aKeyIsThereForAsLongAsItsAsset() async throws {
        let media = try MadeMedia(0..<10, protection: .cbcs)
        let recording = MadeRecording(media, Array(0..<10))
        let library = try library(recording, RecalledKeys(media.keys))
        var request = request(4, 10)
        request.keepFor = 60
        let id = try library.add(request, now: now).id
        let schedule = try Self.schedule().schedule(ofRecording: id)
        let key = try schedule.keys(for: CryptoPeriod(0), .video)
        #expect(try library.key(key.keyID, now: now) == nil, "it is not made yet")
        _ = await library.work(now: now)
        #expect(try library.key(key.keyID, now: now) == key)
        #expect(try library.key(KeyID(Bytes16(high: 1, low: 2)), now: now) == nil)
        // A later process has it again.
        let later = try self.library(recording, RecalledKeys([:]))
        #expect(try later.key(key.keyID, now: now) == key)
        // It has expired, and nobody has come to remove it.
        let end = now + MediaTime(seconds: 60)
        #expect(try later.key(key.keyID, now: end) == nil)
        #expect(await later.work(now: end) == .expired(id: id))
        #expect(try later.key(key.keyID, now: now) == nil)
        #expect(try library.remove(id))
        #expect(try library.key(key.keyID, now: now) == nil)
    }

    /// It may be away, and then it is back.
    @Test func aLaterProcessAsksTheSourceAgain() async throws {
        let media = try MadeMedia(0..<10, protection: .cbcs)
        let recording = MadeRecording(media, Array(0..<10))
        let id = try library(recording, RecalledKeys(media.keys)).add(request(4, 10), now: now).id
        _ = try await library(recording, RecalledKeys(media.keys)).work(now: now)
        let schedule = try Self.schedule()
        let source = SlowSource(schedule.schedule(ofRecording: id))
        let keys = AssetKeys(classes: schedule.classes.all) { _ in source }
        let later = try library(recording, RecalledKeys([:]), newKeys: keys)
        let key = try schedule.schedule(ofRecording: id).keys(for: CryptoPeriod(0), .audio)
        for _ in 0..<3 { #expect(throws: MissingKey.self) { try later.key(key.keyID, now: now) } }
        #expect(source.asked == 1, "each viewer asks, and the source is asked once")
        source.answer()
        #expect(try later.key(key.keyID, now: now) == key)
    }

    @Test func keysThatAreOthersNowAreSaid() async throws {
        let media = try MadeMedia(0..<10, protection: .cbcs)
        let recording = MadeRecording(media, Array(0..<10))
        let first = try library(recording, RecalledKeys(media.keys))
        let id = try first.add(request(4, 10), now: now).id
        _ = await first.work(now: now)
        var events: [AssetEvent] = []
        try await library(recording, RecalledKeys([:])).recallKeys { events.append($0) }
        #expect(events.isEmpty)
        let secret = try #require(MasterSecret(Array(2...33)))
        let other = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil)
        let keys = AssetKeys(classes: other.classes.all) { other.schedule(ofRecording: $0) }
        let later = try library(recording, RecalledKeys([:]), newKeys: keys)
        await later.recallKeys { events.append($0) }
        #expect(events == [.withoutKeys(id: id, reason: AssetError.otherKeys.description)])
        let keyID = try #require(later.record(id)?.ownKeyIDs.first)
        #expect(try later.key(keyID, now: now) == nil)
        events = []
        let clear = try library(recording, RecalledKeys([:]), newKeys: AssetKeys(refusal: .notEncrypted))
        await clear.recallKeys { events.append($0) }
        #expect(events == [.withoutKeys(id: id, reason: AssetRefusal.notEncrypted.description)])
    }

    // MARK: Refusals

    @Test(arguments: [AssetRefusal.notEncrypted, .secretNotKept, .keysOfDocument("file")])
    func newKeysAreRefusedWhereThereAreNone(refusal: AssetRefusal) throws {
        let media = try MadeMedia(0..<10)
        let recording = MadeRecording(media, Array(0..<10))
        let library = try library(recording, RecalledKeys([:]), newKeys: AssetKeys(refusal: refusal))
        #expect(throws: refusal) { try library.add(request(4, 10), now: now) }
        #expect(library.records.isEmpty)
        var same = request(4, 10)
        same.keys = .same
        #expect(try library.add(same, now: now).state == .waiting)
    }

    @Test func aLongAssetKeepsItsKeys() throws {
        let media = try MadeMedia(0..<10)
        let library = try library(MadeRecording(media, Array(0..<10)), RecalledKeys([:]))
        var request = request(-13 * 3600, 10)
        #expect(throws: AssetRefusal.tooLong(hours: 12)) { try library.add(request, now: now) }
        request.keys = .same
        #expect(try library.add(request, now: now).state == .waiting)
    }

    @Test(arguments: ["the server answered 404", nil] as [String?]) func aKeyThatIsNotKnownSaysWhy(
        reason: String?
    ) async throws {
        let media = try MadeMedia(0..<10, protection: .cbcs)
        let recording = MadeRecording(media, Array(0..<10))
        let library = try library(recording, RecalledKeys([:], refusal: reason))
        let id = try library.add(request(4, 10), now: now).id
        guard case .failed(id, let problem)? = await library.work(now: now) else {
            Issue.record("it was made")
            return
        }
        #expect(problem.contains(reason ?? "key-secret"), "\(problem)")
        #expect(library.record(id)?.keyIDs == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("recordings/\(id)")) == ["asset.json"])
    }

    @Test func whatWasNotEncryptedHasNoKeyToReplace() async throws {
        let media = try MadeMedia(0..<10)
        let library = try library(MadeRecording(media, Array(0..<10)), RecalledKeys([:]))
        let id = try library.add(request(4, 10), now: now).id
        let reason = AssetError.nothingEncrypted.description
        #expect(await library.work(now: now) == .failed(id: id, reason: reason))
    }

    @Test func aSourceThatRefusesSaysWhy() async throws {
        let media = try MadeMedia(0..<10, protection: .cbcs)
        let recording = MadeRecording(media, Array(0..<10))
        let schedule = try Self.schedule()
        let source = SlowSource(schedule)
        source.refuse()
        let keys = AssetKeys(classes: schedule.classes.all) { _ in source }
        let library = try library(recording, RecalledKeys(media.keys), newKeys: keys)
        let id = try library.add(request(4, 10), now: now).id
        #expect(await library.work(now: now) == .failed(id: id, reason: SlowSource.Refusal().description))
    }

    /// What an earlier version has written down does not tell of keys.
    @Test func requestsOfEarlierVersionsKeepTheirKeys() throws {
        let json = #"{"form": "copy", "cut-breaks": false, "chapters": [], "title": "Concert"}"#
        let request = try JSONDecoder().decode(AssetRequest.self, from: Data(json.utf8))
        #expect(request.keys == .same && request.title == "Concert")
        let written = try JSONDecoder().decode(AssetRequest.self, from: JSONEncoder().encode(self.request(4, 10)))
        #expect(written == self.request(4, 10))
    }
}
