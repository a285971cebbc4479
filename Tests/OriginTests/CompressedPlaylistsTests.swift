import Dispatch
import Files
import Foundation
import NIOCore
import Presentation
import Synchronization
import Testing

@testable import Origin

/// The compressed playlists of finished recordings that are kept.
@Suite struct CompressedPlaylistsTests {
    /// Compresses, and counts what it does.
    private final class Compressor: Sendable {
        private let calls = Mutex(0)

        var count: Int { calls.withLock { $0 } }

        func playlists(capacity: Int = 1 << 20) -> CompressedPlaylists {
            CompressedPlaylists(capacity: capacity) { [self] text in
                calls.withLock { $0 += 1 }
                return GzipPart(text)?.member
            }
        }
    }

    private static func text(_ number: Int) -> ByteBuffer {
        ByteBuffer(string: String(repeating: "#EXTINF:4.000000,\n\(number).m4s\n", count: 200))
    }

    private static func name(_ number: Int, byteCount: Int? = nil) -> CompressedPlaylists.Name {
        .init(channel: "live", path: "\(number)/index.m3u8", byteCount: byteCount ?? text(number).readableBytes)
    }

    @Test func aTextIsCompressedOnceHoweverManyAsk() async {
        let compressor = Compressor()
        let playlists = compressor.playlists()
        #expect(playlists.known(Self.name(1)) == nil)
        await withTaskGroup(of: PlaylistForm?.self) { group in
            for _ in 0..<50 {
                group.addTask { try? playlists.form(of: Self.name(1)) { Self.text(1) } }
            }
            for await form in group {
                #expect(form?.isCompressed == true)
                #expect(form?.entityTag == playlists.known(Self.name(1))?.entityTag)
            }
        }
        #expect(compressor.count == 1)
        #expect(playlists.known(Self.name(1))?.body == GzipPart(Self.text(1))?.member)
    }

    @Test func anotherChannelOrLengthIsAnotherPlaylist() throws {
        let compressor = Compressor()
        let playlists = compressor.playlists()
        var names = [Self.name(1), Self.name(1, byteCount: 7), Self.name(2)]
        names.append(.init(channel: "other", path: names[0].path, byteCount: names[0].byteCount))
        for name in names + names { _ = try playlists.form(of: name) { Self.text(1) } }
        #expect(compressor.count == names.count)
    }

    @Test func whatIsKeptIsBoundedAndTheLeastUsedGoes() throws {
        let compressor = Compressor()
        let playlists = compressor.playlists(capacity: 20_000)
        for number in 0..<100 {
            #expect(try playlists.form(of: Self.name(number)) { Self.text(number) } != nil)
            #expect(playlists.byteCount <= 20_000)
            #expect(playlists.known(Self.name(0)) != nil, "it is asked for all the time")
        }
        #expect(playlists.byteCount > 10_000)
        #expect(playlists.known(Self.name(1)) == nil)
        #expect(compressor.count == 100)
        _ = try playlists.form(of: Self.name(1)) { Self.text(1) }
        #expect(compressor.count == 101)
    }

    @Test func aTextThatIsTooLongIsNotEvenRead() throws {
        let compressor = Compressor()
        let name = Self.name(1, byteCount: CompressedPlaylists.longest + 1)
        let form = try compressor.playlists().form(of: name) {
            Issue.record("it is read")
            return Self.text(1)
        }
        #expect(form == nil && compressor.count == 0)
    }

    @Test func whatCompressionDoesNotShortenIsTriedOnce() throws {
        let compressor = Compressor()
        let playlists = compressor.playlists()
        for _ in 0..<3 {
            #expect(try playlists.form(of: Self.name(1, byteCount: 1)) { ByteBuffer(string: "#") } == nil)
        }
        #expect(compressor.count == 1 && playlists.byteCount == CompressedPlaylists.overhead)
    }

    @Test func aDiskThatStandsStillHoldsUpNoOtherPlaylist() throws {
        let playlists = Compressor().playlists()
        let (begins, goesOn, ends) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread.detachNewThread {
            _ = try? playlists.form(of: Self.name(1)) {
                begins.signal()
                goesOn.wait()
                return Self.text(1)
            }
            ends.signal()
        }
        begins.wait()
        #expect(try playlists.form(of: Self.name(2)) { Self.text(2) } != nil)
        goesOn.signal()
        ends.wait()
        #expect(playlists.known(Self.name(1)) != nil)
    }

    @Test func aTextThatCannotBeReadIsReadAgain() throws {
        let compressor = Compressor()
        let playlists = compressor.playlists()
        #expect(throws: FileError.self) {
            try playlists.form(of: Self.name(1)) { () throws(FileError) -> ByteBuffer in
                throw FileError(operation: "read", path: "x", reason: "the disk has died")
            }
        }
        #expect(try playlists.form(of: Self.name(1)) { Self.text(1) } != nil)
        #expect(compressor.count == 1)
    }
}
