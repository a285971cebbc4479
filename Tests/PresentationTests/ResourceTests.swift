import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Presentation

@Suite struct ResourceTests {
    @Test func contentTypesFollowTheKindOfTrack() throws {
        var channel = Channel()
        try channel.publish()
        let expected = [
            "index.m3u8": "application/vnd.apple.mpegurl", "audio-en.m3u8": "application/vnd.apple.mpegurl",
            "video-1080p/init.mp4": "video/mp4", "video-1080p/448812000.m4s": "video/mp4",
            "audio-en/init.mp4": "audio/mp4", "audio-en/448812000.m4s": "audio/mp4",
        ]
        for (path, type) in expected { #expect(channel.resource(path).resource?.contentType == type) }
    }

    @Test func entityTagsAreThoseOfTheBytesNotOfThePublisher() throws {
        var (first, second) = (Channel(), Channel())
        try first.publish(count: 8)
        try second.publish(count: 8)
        for path in ["index.m3u8", "video-1080p.m3u8", "video-1080p/448812004.m4s", "video-1080p/init.mp4"] {
            #expect(first.resource(path) == second.resource(path))
        }
        let before = first.resource("video-1080p.m3u8").resource
        try first.publish()
        #expect(first.resource("video-1080p.m3u8").resource?.entityTag != before?.entityTag)
        #expect(before?.entityTag.wholeMatch(of: /"[0-9a-f]{16}"/) != nil)
    }

    @Test func aPlaylistIsCompressedAndItsCompressedFormHasItsOwnTag() throws {
        var channel = Channel()
        try channel.publish(count: 6)
        let resource = try #require(channel.resource("video-1080p.m3u8").resource)
        let count = resource.byteCount
        let compressed = try #require(resource.gzip)
        let gzip = Array(compressed.body.readableBytesView)
        #expect(gzip.prefix(4) == [0x1F, 0x8B, 8, 0])
        // No time stamp: the same playlist is the same bytes everywhere.
        #expect(gzip[4..<8] == [0, 0, 0, 0])
        #expect(try gzip.suffix(8).prefix(4) == crc32(resource.body.read()).littleEndianBytes[...])
        #expect(gzip.suffix(4) == UInt32(resource.body.byteCount).littleEndianBytes[...])
        #expect(gzip.count * 2 < resource.body.byteCount)
        #expect(compressed.entityTag == resource.entityTag.dropLast() + "-gzip\"")
        // Tables of resources count the bytes that they take in, and those that they let go.
        #expect(resource.byteCount == count)
    }

    @Test func mediaIsNotCompressed() throws {
        var channel = Channel()
        try channel.publish()
        let resource = try #require(channel.resource("video-1080p/448812000.m4s").resource)
        #expect(resource.body == .memory(.numbered(Channel.firstNumber, count: 1000)))
        #expect(resource.gzip == nil)
        #expect(!resource.isCompressible)
    }

    /// Readers of a table are not disturbed by changes of its copies.
    @Test func aCopyOfATableStaysAsItIs() {
        func resource(_ text: String) -> Resource {
            Resource(kind: .segment, body: .memory(ByteBuffer(string: text)), contentType: "", entityTag: text)
        }
        var table = ResourceTable()
        let paths = (0..<2_000).map { "video/\($0).m4s" }
        for path in paths { table.retain(path, resource(path)) }
        let copy = table
        let count = paths.reduce(0) { $0 + $1.utf8.count }
        #expect(copy.bytes == count)
        for path in paths[..<1_000] {
            let isGone = table.release(path)
            #expect(isGone)
        }
        for path in paths[1_000...] { table.setExpiry(path, .zero) }
        for path in paths { #expect(copy[path]?.resource == resource(path)) }
        #expect(paths[..<1_000].allSatisfy { table[$0] == nil })
        #expect(paths[1_000...].allSatisfy { table[$0]?.resource?.expires == .zero })
        #expect(copy.bytes == count)
        #expect(table.bytes == paths[1_000...].reduce(0) { $0 + $1.utf8.count })
    }

    private func crc32(_ buffer: ByteBuffer) -> UInt32 {
        ~buffer.readableBytesView.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}

extension UInt32 {
    fileprivate var littleEndianBytes: [UInt8] { [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
