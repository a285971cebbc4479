import NIOCore
import Testing

@testable import Publishing

/// A session continues in another process as if nothing had been.
@Suite struct PublishStateTests {
    private static func state(of session: PublishSession) -> ByteBuffer {
        var bytes = ByteBuffer()
        session.writeState(to: &bytes)
        return bytes
    }

    /// A session that is handed over.
    private static func moved(_ session: PublishSession) throws -> PublishSession {
        var bytes = state(of: session)
        let moved = try PublishSession(readingState: &bytes)
        #expect(bytes.readableBytes == 0)
        return moved
    }

    private static func read(
        _ bytes: ByteBuffer,
        by session: PublishSession,
        splitAt place: Int,
        isMoved: Bool
    ) throws -> [PublishSession.Action] {
        var session = session
        var rest = bytes
        let first = rest.readSlice(length: place) ?? ByteBuffer()
        var actions = try session.read(first)
        if isMoved, session.isPublishing { session = try moved(session) }
        actions += try session.read(rest)
        return actions
    }

    @Test func itGoesOnBehindEveryByte() throws {
        let bytes = CapturedSession().bytes
        let session = try CapturedSession.accepted
        let whole = try Self.read(bytes, by: session, splitAt: bytes.readableBytes, isMoved: false)
        let media = whole.compactMap { if case .media(let message) = $0 { message } else { nil } }
        #expect(media.map(\.timestamp) == [0, 0, 0, 20, 43, 40, 66, 0x0200_0000])
        let metadata = CapturedSession.metadata.readableBytes
        #expect(media.map(\.payload.readableBytes) == [metadata, 8, 4, 6, 6, 500, 6, 260])
        #expect(whole.contains(.ended))
        for place in 0...bytes.readableBytes {
            let here = try Self.read(bytes, by: session, splitAt: place, isMoved: false)
            let moved = try Self.read(bytes, by: session, splitAt: place, isMoved: true)
            #expect(here == moved, "split at \(place)")
            #expect(moved.filter { if case .media = $0 { true } else { false } } == media.map { .media($0) })
        }
    }

    /// Counters are those of the connection: an acknowledgement names all that has come since it began (RTMP 1.0 § 5.4.3).
    @Test func acknowledgementsGoOn() throws {
        var session = try CapturedSession.accepted
        let window = RTMPMessage(.windowAcknowledgementSize, payload: ByteBuffer(integer: 1_000 as UInt32))
        let picture = Encoder.message(Encoder.media(.video, Array(repeating: 0, count: 300)))
        _ = try session.read(Encoder.message(window))
        var moved = session
        for _ in 0..<20 {
            moved = try Self.moved(moved)
            #expect(try moved.read(picture) == session.read(picture))
        }
    }

    @Test func handingOverTwiceSaysTheSame() throws {
        let bytes = CapturedSession().bytes
        for place in stride(from: 0, to: bytes.readableBytes - 60, by: 13) {
            var session = try CapturedSession.accepted
            _ = try session.read(bytes.getSlice(at: 0, length: place) ?? ByteBuffer())
            #expect(Self.state(of: try Self.moved(session)) == Self.state(of: session))
        }
    }

    @Test func onlyWhatIsPublishedIsHandedOver() throws {
        #expect(!PublishSession().isPublishing)
        var session = try CapturedSession.accepted
        #expect(session.isPublishing)
        _ = try session.read(CapturedSession().bytes)
        #expect(!session.isPublishing)
    }

    // MARK: Malformed states

    /// One chunk stream, whose message of 300 bytes has come in part, and the beginning of its next chunk.
    private static var interrupted: ByteBuffer {
        get throws {
            var session = try CapturedSession.accepted
            var bytes = ByteBuffer(bytes: [3, 0, 0, 0, 0, 1, 0x2C, 9, 1, 0, 0, 0] + Array(repeating: 7, count: 128))
            bytes.writeBytes([0xC3, 1, 2])
            _ = try session.read(bytes)
            return state(of: session)
        }
    }

    private enum Field: Int {
        case window = 12
        case chunkSize = 16
        case streams = 20
        case stream = 21
        case flags = 25
        case length = 34
        case gathered = 43
        case unread = 175
    }

    private static func expectRefused(_ field: Field, _ value: UInt32, isByte: Bool = false) throws {
        var bytes = try interrupted
        if isByte {
            bytes.setInteger(UInt8(value), at: field.rawValue)
        } else {
            bytes.setInteger(value, at: field.rawValue)
        }
        #expect(throws: RTMPError.self, "\(field) \(value)") { try PublishSession(readingState: &bytes) }
    }

    @Test func whatCannotBeIsRefused() throws {
        var whole = try Self.interrupted
        #expect(whole.getInteger(at: Field.gathered.rawValue, as: UInt32.self) == 128)
        #expect(whole.getInteger(at: Field.unread.rawValue, as: UInt32.self) == 3)
        _ = try PublishSession(readingState: &whole)
        try Self.expectRefused(.window, 0)
        for size: UInt32 in [0, 1 << 24, .max] { try Self.expectRefused(.chunkSize, size) }
        for count: UInt32 in [2, 33, 255] { try Self.expectRefused(.streams, count, isByte: true) }
        for id: UInt32 in [0, 1, 65_600, .max] { try Self.expectRefused(.stream, id) }
        // A flag that has no meaning; a message that is not open, and has come in part.
        for flags: UInt32 in [4, 6, 0x82, 0] { try Self.expectRefused(.flags, flags, isByte: true) }
        for length: UInt32 in [127, 128, UInt32(PublishSession.mostBytes) + 1, .max] {
            try Self.expectRefused(.length, length)
        }
        for count: UInt32 in [0, 300, 1 << 20, .max] { try Self.expectRefused(.gathered, count) }
        for count: UInt32 in [4, UInt32(PublishSession.mostBytes) + 19, .max] { try Self.expectRefused(.unread, count) }
    }

    @Test func aStateThatIsCutOffIsRefused() throws {
        let whole = try Self.interrupted
        for count in 0..<whole.readableBytes {
            var part = whole.getSlice(at: 0, length: count) ?? ByteBuffer()
            #expect(throws: RTMPError.self) { try PublishSession(readingState: &part) }
        }
    }

    @Test func aChunkStreamIsNamedOnce() throws {
        var bytes = try Self.interrupted
        let stream = bytes.getBytes(at: Field.stream.rawValue, length: Field.unread.rawValue - Field.stream.rawValue)
        var twice = bytes.readSlice(length: Field.stream.rawValue) ?? ByteBuffer()
        twice.setInteger(2 as UInt8, at: Field.streams.rawValue)
        twice.writeBytes((stream ?? []) + (stream ?? []))
        twice.writeInteger(0 as UInt32)
        var other = twice
        #expect(throws: RTMPError.self) { try PublishSession(readingState: &twice) }
        // Another number makes another stream of it.
        other.setInteger(9 as UInt32, at: Field.unread.rawValue)
        _ = try PublishSession(readingState: &other)
    }

    /// The bound of all messages that are not whole is that of a connection that was never handed over.
    @Test func messagesThatAreNotWholeShareTheirBound() throws {
        let part = PublishSession.mostBytes / 2 + 1
        func state(_ count: UInt8) -> ByteBuffer {
            var bytes = ByteBuffer()
            for word: UInt32 in [1, 0, 0, 1_000, 128] { bytes.writeInteger(word) }
            bytes.writeInteger(count)
            for id in 0..<count {
                bytes.writeInteger(UInt32(id) + 3)
                bytes.writeInteger(2 as UInt8)
                for word in [0, 0, UInt32(PublishSession.mostBytes)] { bytes.writeInteger(word) }
                bytes.writeInteger(9 as UInt8)
                for word in [1, UInt32(part)] { bytes.writeInteger(word) }
                bytes.writeRepeatingByte(0, count: part)
            }
            bytes.writeInteger(0 as UInt32)
            return bytes
        }
        var (one, two) = (state(1), state(2))
        _ = try PublishSession(readingState: &one)
        #expect(throws: RTMPError.self) { try PublishSession(readingState: &two) }
    }

    /// A state that was changed anywhere is refused, or the session reads on or gives up.
    @Test func aDamagedStateDoesNoHarm() throws {
        let whole = try Self.interrupted
        let rest = CapturedSession().bytes
        for place in 0..<whole.readableBytes {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var bytes = whole
                bytes.setInteger((whole.getInteger(at: place, as: UInt8.self) ?? 0) ^ change, at: place)
                guard var session = try? PublishSession(readingState: &bytes) else { continue }
                _ = try? session.read(rest)
            }
        }
    }
}
