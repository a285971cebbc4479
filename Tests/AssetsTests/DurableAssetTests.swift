import Files
import Foundation
import Glibc
import MediaCore
import Operations
import Synchronization
import TestSupport
import Testing

@testable import Assets

/// A power cut takes nothing of what is told to be ready.
@Suite(.timeLimit(.minutes(5))) struct DurableAssetTests {
    private let folder: TemporaryDirectory
    private let now = MadeMedia.time(100)

    init() throws { folder = try TemporaryDirectory() }

    private func library(_ synchronize: @escaping @Sendable (String) throws -> Void) throws -> AssetLibrary {
        AssetLibrary(
            directory: folder.file("recordings"),
            channel: "live",
            recording: MadeRecording(try MadeMedia(0..<6), Array(0..<6)),
            slot: MadeMedia.slot,
            keys: { _ in RecalledKeys([:]) },
            synchronize: synchronize
        )
    }

    private var request: AssetRequest {
        var request = AssetRequest()
        (request.from, request.to) = (Timestamp(MadeMedia.time(4)), Timestamp(MadeMedia.time(10)))
        return request
    }

    @Test func allOfAnAssetIsOnTheDiskBeforeItIsReady() async throws {
        let seen = Mutex<[(record: AssetRecord, names: [String])]>([])
        let library = try library { directory in
            let json = try Data(contentsOf: URL(filePath: "\(directory)/asset.json"))
            let record = try JSONDecoder().decode(AssetRecord.self, from: json)
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            seen.withLock { $0.append((record, names)) }
        }
        let id = try library.add(request, now: now).id
        #expect(await library.work(now: now)?.isFailure == false)
        let calls = seen.withLock(\.self)
        let call = try #require(calls.last)
        // Its request was on the disk before anything of it was made.
        #expect(calls.map(\.record.id) == [id, id] && calls.map(\.record.state) == [.waiting, .waiting])
        #expect(calls.first?.names == ["asset.json"])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("recordings/\(id)"))
        #expect(Set(call.names) == Set(names) && call.names.contains("index.m3u8"))
        #expect(library.record(id)?.state == .ready)
    }

    /// A request that a power cut could take back is not accepted.
    @Test func aRequestThatDoesNotReachTheDiskIsRefused() async throws {
        let library = try library { throw FileError(operation: "synchronize", path: $0, code: EIO) }
        #expect(throws: AssetRefusal.self) { try library.add(request, now: now) }
        #expect(library.records.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("recordings")).isEmpty)
    }

    /// Makes a library whose request reaches the disk, and calls a closure when the files of the asset are to.
    private func libraryWhoseRequestIsKept(_ body: @escaping @Sendable (String) throws -> Void) throws -> AssetLibrary {
        let isRequest = Mutex(true)
        return try library { directory in
            let isFirst = isRequest.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if !isFirst { try body(directory) }
        }
    }

    @Test func whatDoesNotReachTheDiskHasFailed() async throws {
        let library = try libraryWhoseRequestIsKept({ throw FileError(operation: "synchronize", path: $0, code: EIO) })
        let id = try library.add(request, now: now).id
        #expect(await library.work(now: now)?.isFailure == true)
        #expect(library.record(id)?.state == .failed && library.record(id)?.problem?.contains("synchronize") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("recordings/\(id)")) == ["asset.json"])
    }

    /// A failed asset names nothing that viewers could load.
    @Test func recordThatCannotBeWrittenHasFailed() async throws {
        // Its record cannot take the place of a directory.
        let library = try libraryWhoseRequestIsKept({ directory in
            let record = "\(directory)/asset.json"
            try FileManager.default.removeItem(atPath: record)
            try FileManager.default.createDirectory(atPath: "\(record)/full", withIntermediateDirectories: true)
        })
        let id = try library.add(request, now: now).id
        #expect(await library.work(now: now)?.isFailure == true)
        let record = try #require(library.record(id))
        #expect(record.state == .failed && record.path == nil && record.start == nil && record.byteCount == nil)
    }
}
