import MediaCore
import NIOCore
import Operations
import Playlists
import Synchronization
import TestSupport
import Testing

@testable import Assets

/// A finished recording leaves the disk to the channel that is recorded.
@Suite struct AssetRoomTests {
    /// Copies three slots of two segments, each of which is listed as one byte and has more.
    private func copy(to disk: MemoryFileSystem) async throws {
        let media = try MadeMedia(0..<10)
        let recording = MadeRecording(media, Array(0..<10))
        let maker = AssetMaker(recording, slot: MadeMedia.slot, keys: { _ in RecalledKeys([:]) }, fileSystem: disk)
        var request = AssetRequest()
        (request.from, request.to) = (Timestamp(MadeMedia.time(4)), Timestamp(MadeMedia.time(10)))
        request.form = .copy
        _ = try await maker.make(request, programme: nil, in: "asset")
    }

    private func disk(capacity: Int) -> MemoryFileSystem {
        let disk = MemoryFileSystem()
        disk.state.withLock { $0.capacity = capacity }
        return disk
    }

    @Test func aCopyThatWouldNotFitIsNotBegun() async throws {
        let disk = disk(capacity: AssetDiskSpace.reserve + 5)
        await #expect(throws: AssetError.noRoom(missing: 1)) { try await copy(to: disk) }
        #expect(disk.files.isEmpty)
        try await copy(to: self.disk(capacity: 2 * AssetDiskSpace.reserve))
    }

    @Test func aDiskThatFillsMeanwhileEndsTheCopy() async throws {
        let disk = disk(capacity: AssetDiskSpace.reserve + 6)
        let error = await #expect(throws: AssetError.self) { try await copy(to: disk) }
        guard case .noRoom? = error else {
            Issue.record("\(error.debugDescription)")
            return
        }
        #expect(!disk.files.isEmpty && !disk.files.keys.contains { $0.hasSuffix(".m3u8") })
    }

    /// An MP4 file is written sample by sample as its media is read.
    @Test func aDiskThatFillsMeanwhileEndsAClip() throws {
        let (disk, media) = (disk(capacity: AssetDiskSpace.reserve), try MadeMedia(0..<1))
        let room = AssetDiskSpace(fileSystem: disk, folder: "asset", isWanted: { true })
        let guarded = CancellableMedia(media: media, room: room)
        let path = try #require(media.video.segments.first?.line.uri)
        #expect(try guarded.bytes(at: path) != nil)
        try disk.create("asset/other", ByteBuffer(bytes: [1]))
        #expect(throws: AssetError.noRoom(missing: 1)) { try guarded.bytes(at: path) }
    }
}
