import ContentProtection
import Foundation
import MediaCore
import NIOCore
import Operations
import Playlists
import Synchronization
import TestSupport
import Testing

@testable import Assets
@testable import Presentation

/// Assets that nobody waits for any more: while they are made, and once their time is over.
@Suite(.timeLimit(.minutes(5))) struct AbandonedAssetTests {
    /// A recording that tells a test when its media is read.
    private struct WatchedRecording: RecordedChannel {
        let recording: MadeRecording
        let onRead: @Sendable () -> Void

        var extent: Range<MediaSequenceNumber>? { recording.extent }

        func bytes(at path: String) throws -> ByteBuffer? {
            onRead()
            return try recording.bytes(at: path)
        }

        func byteCount(at path: String) throws -> Int? { try recording.byteCount(at: path) }

        func bytes(at path: String, _ range: Range<Int>) throws -> ByteBuffer? { try recording.bytes(at: path, range) }

        func recordedSlots(in numbers: Range<MediaSequenceNumber>) throws -> [ListedSlot] {
            try recording.recordedSlots(in: numbers)
        }

        func openRanges(at number: MediaSequenceNumber) throws -> [DateRange] { try recording.openRanges(at: number) }

        func multivariants(in numbers: Range<MediaSequenceNumber>) throws -> [[MultivariantName: String]] {
            try recording.multivariants(in: numbers)
        }
    }

    enum Kind: CaseIterable, Sendable {
        case copy, rekeyedCopy, clip

        /// A request for three slots.
        var request: AssetRequest {
            var request = AssetRequest()
            (request.from, request.to) = (Timestamp(MadeMedia.time(4)), Timestamp(MadeMedia.time(10)))
            request.form = self == .clip ? .mp4 : .copy
            request.keys = self == .rekeyedCopy ? .new : .same
            return request
        }
    }

    private let folder: TemporaryDirectory
    private let now = MadeMedia.time(100)
    private let media: MadeMedia
    private let recording: MadeRecording
    private let schedule: KeySchedule

    /// Files of a slot, all of which are copied if one is: a section and a segment of video, and of audio.
    private static let filesOfSlot = 4

    init() throws {
        folder = try TemporaryDirectory()
        media = try MadeMedia(0..<10, protection: .cbcs)
        recording = MadeRecording(media, Array(0..<10))
        let secret = try #require(MasterSecret(Array(2...33)))
        schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil)
    }

    private func library(
        _ recording: any RecordedChannel,
        time: @escaping @Sendable () -> MediaTime = { .zero }
    ) -> AssetLibrary {
        AssetLibrary(
            directory: folder.file("recordings"),
            channel: "live",
            recording: recording,
            slot: MadeMedia.slot,
            keys: { [keys = media.keys] _ in RecalledKeys(keys) },
            newKeys: AssetKeys(classes: schedule.classes.all) { [schedule] id in schedule.schedule(ofRecording: id) },
            time: time
        )
    }

    @Test(arguments: Kind.allCases) func whatIsRemovedMeanwhileIsNotMadeToItsEnd(kind: Kind) async throws {
        let reads = Mutex(0)
        let found = Mutex<AssetLibrary?>(nil)
        let watched = WatchedRecording(recording: recording) {
            reads.withLock { $0 += 1 }
            guard let library = found.withLock({ $0 }) else { return }
            for record in library.records { _ = try? library.remove(record.id) }
        }
        let library = library(watched)
        found.withLock { $0 = library }
        let id = try library.add(kind.request, now: now).id
        #expect(await library.work(now: now) == nil)
        let count = reads.withLock(\.self)
        #expect((1...Self.filesOfSlot).contains(count), "\(count) files were read")
        #expect(library.records.isEmpty && library.isGone(id))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("recordings")).isEmpty)
    }

    /// A channel that is set up anew makes it in the same place, and may have begun before the old one has ended.
    @Test(arguments: Kind.allCases) func whatIsCancelledIsLeftToALaterProcess(kind: Kind) async throws {
        let (directory, now) = (folder.file("recordings"), self.now)
        let reads = Mutex(0)
        let task = Mutex<Task<AssetEvent?, Never>?>(nil)
        let watched = WatchedRecording(recording: recording) {
            reads.withLock { $0 += 1 }
            task.withLock({ $0 })?.cancel()
            for id in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
                try? Data("its own".utf8).write(to: URL(filePath: "\(directory)/\(id)/other"))
            }
        }
        let library = library(watched)
        let id = try library.add(kind.request, now: now).id
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let work = Task {
            for await _ in gate {}
            return await library.work(now: now)
        }
        task.withLock { $0 = work }
        opening.finish()
        #expect(await work.value == nil)
        let count = reads.withLock(\.self)
        #expect((1...Self.filesOfSlot).contains(count), "\(count) files were read")
        #expect(library.record(id)?.state == .waiting)
        let other = "\(directory)/\(id)/other"
        #expect(FileManager.default.fileExists(atPath: other))
        let later = self.library(recording)
        #expect(await later.work(now: now)?.isFailure == false)
        #expect(later.record(id)?.state == .ready && !FileManager.default.fileExists(atPath: other))
    }

    /// It is not removed while another is made, which may take long.
    @Test func whatHasExpiredIsNotServedAnyMore() async throws {
        let time = Mutex(now)
        let library = library(recording) { time.withLock(\.self) }
        var request = Kind.copy.request
        request.keepFor = 60
        let id = try library.add(request, now: now).id
        _ = await library.work(now: now)
        #expect(try library.byteCount(of: "\(id)/index.m3u8") != nil)
        time.withLock { $0 = $0 + MediaTime(seconds: 60) }
        #expect(try library.byteCount(of: "\(id)/index.m3u8") == nil)
        // Destinations get it until they are told that it was removed.
        #expect(try library.object("index.m3u8", of: id) != nil)
    }

    /// The channel that is recorded on the same disk would wait as well.
    @Test func aRekeyedCopyDoesNotWaitForTheDisk() async throws {
        let disk = MemoryFileSystem()
        let maker = AssetMaker(
            recording,
            slot: MadeMedia.slot,
            keys: { [keys = media.keys] _ in RecalledKeys(keys) },
            fileSystem: disk
        )
        let keys = try schedule.classes.all.map { try schedule.keys(for: CryptoPeriod(0), $0) }
        _ = try await maker.make(Kind.rekeyedCopy.request, programme: nil, newKeys: keys, in: "asset")
        let waitedFor = disk.state.withLock(\.synchronized)
        #expect(disk.files["asset/index.m3u8"] != nil && waitedFor.isEmpty, "\(waitedFor.count) files")
    }
}
