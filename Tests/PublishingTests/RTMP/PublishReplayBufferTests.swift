import NIOCore
import Testing

@testable import Publishing

@Suite struct PublishReplayBufferTests {
    private static let metadata = RTMPMessage(.data, streamID: 1, payload: CapturedSession.metadata)
    private static let pictureHeader = Encoder.media(.video, [0x17, 0, 0, 0, 0, 1])
    private static let soundHeader = Encoder.media(.audio, [0xAF, 0, 0x12, 0x10])

    private static func key(_ time: UInt32) -> RTMPMessage { Encoder.media(.video, [0x17, 1, 0, 0, 9], at: time) }
    private static func picture(_ time: UInt32) -> RTMPMessage { Encoder.media(.video, [0x27, 1, 0, 8], at: time) }
    private static func sound(_ time: UInt32) -> RTMPMessage { Encoder.media(.audio, [0xAF, 1, 7], at: time) }

    private static func buffer(
        _ messages: [RTMPMessage],
        mostBytes: Int = PublishReplayBuffer.mostBytes
    ) -> PublishReplayBuffer {
        var buffer = PublishReplayBuffer(mostBytes: mostBytes)
        for message in [metadata, pictureHeader, soundHeader, key(0), picture(40), sound(41)] { buffer.note(message) }
        buffer.start()
        for message in messages { buffer.note(message) }
        return buffer
    }

    /// A reader that begins with it is told all that was said before, and gets what can be decoded.
    @Test func itBeginsWithHeadersAndAKeyFrame() {
        let kept = [Self.key(80), Self.sound(84), Self.picture(120)]
        let buffer = Self.buffer([Self.picture(60), Self.sound(62), Self.sound(83)] + kept)
        let headers = [Self.metadata, Self.pictureHeader, Self.soundHeader]
        #expect(buffer.playback == headers + [Self.sound(83)] + kept)
    }

    @Test func soundAloneBeginsAnywhere() {
        let buffer = Self.buffer([Self.sound(62), Self.sound(83)])
        #expect(buffer.playback.suffix(2) == [Self.sound(62), Self.sound(83)])
    }

    /// Times wrap after 49 days.
    @Test func timesMayWrap() {
        let messages = [Self.sound(.max - 3), Self.sound(2), Self.key(.max), Self.picture(39)]
        #expect(Self.buffer(messages).playback.suffix(3) == [Self.sound(2), Self.key(.max), Self.picture(39)])
    }

    /// Headers hold until others come, also of those who are handed over once more.
    @Test func theNewestHeadersCount() {
        let other = Encoder.media(.video, [0x17, 0, 0, 0, 0, 2], at: 100)
        var buffer = Self.buffer([Self.key(80), other, Self.key(120)])
        #expect(buffer.playback.count == 6)
        buffer.stop()
        #expect(buffer.playback == [Self.metadata, other, Self.soundHeader])
        buffer.note(Self.key(160))
        #expect(buffer.playback.count == 3)
    }

    /// Enhanced RTMP names codecs in four letters, and tracks by numbers.
    @Test func headersOfOtherCodecsAreKnown() {
        let headers: [RTMPMessage] = [
            Encoder.media(.video, [0x90] + Array("hvc1".utf8) + [1]),
            Encoder.media(.video, [0x94] + Array("hvc1".utf8) + [2]),
            Encoder.media(.video, [0x96, 0] + Array("av01".utf8) + [1, 3]),
            Encoder.media(.video, [0x96, 0] + Array("av01".utf8) + [2, 4]),
            Encoder.media(.audio, [0x90] + Array("Opus".utf8) + [5]),
            Encoder.media(.audio, [0x95, 0] + Array("mp4a".utf8) + [1, 6]),
        ]
        var buffer = PublishReplayBuffer()
        for message in headers + headers { buffer.note(message) }
        buffer.note(Encoder.media(.video, [0x91] + Array("hvc1".utf8) + [1]))
        buffer.note(Encoder.media(.audio, [0x91] + Array("Opus".utf8) + [1]))
        #expect(buffer.playback == headers)
        #expect(Encoder.media(.video, [0x91] + Array("hvc1".utf8)).isKeyFrame)
        #expect(!Encoder.media(.video, [0xA1] + Array("hvc1".utf8)).isKeyFrame)
    }

    @Test func memoryIsBounded() {
        let messages = (0..<1_000).map { Self.key(UInt32($0) * 40) }
        let other = Encoder.media(.video, [0x17, 0, 0, 0, 0, 2])
        let buffer = Self.buffer([other] + messages, mostBytes: 20_000)
        let playback = buffer.playback
        // The header went with the older half of what was kept, and is said all the same.
        #expect(playback[1] == other)
        #expect(playback.suffix(20) == messages.suffix(20))
        #expect(playback.count < 200)
        var many = PublishReplayBuffer()
        for track in UInt8.min...UInt8.max {
            many.note(Encoder.media(.video, [0x96, 0] + Array("av01".utf8) + [track]))
        }
        many.note(Encoder.media(.audio, [0xAF, 0] + Array(repeating: 0, count: PublishReplayBuffer.longestHeading)))
        #expect(many.playback.count == PublishReplayBuffer.mostHeadings)
        #expect(many.playback.allSatisfy { $0.kind == .video })
    }

    // MARK: State

    private static func state(of buffer: PublishReplayBuffer) -> ByteBuffer {
        var bytes = ByteBuffer()
        buffer.writeState(to: &bytes)
        return bytes
    }

    @Test func itIsReadAsItWasWritten() throws {
        let buffer = Self.buffer([Self.picture(60), Self.sound(62), Self.key(80), Self.picture(120)])
        var bytes = Self.state(of: buffer)
        bytes.writeInteger(42 as UInt8)
        let moved = try PublishReplayBuffer(readingState: &bytes)
        #expect(moved.playback == buffer.playback)
        #expect(!moved.isRunning)
        #expect(bytes.readableBytes == 1)
        // It may be handed over once more before it is forgotten.
        var longer = moved
        longer.resume()
        longer.note(Self.picture(160))
        #expect(longer.isRunning && longer.playback == buffer.playback + [Self.picture(160)])
    }

    /// What is handed over keeps the limit also if the newer half of the messages has most of the bytes.
    @Test func itNeverHoldsMoreThanItsLimit() throws {
        let small = (0..<8).map { Self.sound($0) }
        let large = (0..<8).map { Encoder.media(.video, [0x17, 1] + Array(repeating: 0, count: 1000), at: 100 + $0) }
        for limit in [2000, 3000, 5000, 8000] {
            let state = Self.state(of: Self.buffer(small + large, mostBytes: limit))
            #expect(state.readableBytes <= limit + Self.state(of: Self.buffer([])).readableBytes, "\(limit)")
        }
        let giant = Encoder.media(.video, [0x17, 1] + Array(repeating: 0, count: 3000), at: 200)
        #expect(Self.buffer(small + [giant], mostBytes: 2000).playback.count == 3)
    }

    private static func write(_ kind: UInt8, _ payload: [UInt8], length: UInt32? = nil, to bytes: inout ByteBuffer) {
        bytes.writeInteger(kind)
        for word: UInt32 in [0, 1, length ?? UInt32(payload.count)] { bytes.writeInteger(word) }
        bytes.writeBytes(payload)
    }

    private static func expectRefused(_ write: (inout ByteBuffer) -> Void) {
        var bytes = ByteBuffer()
        write(&bytes)
        #expect(throws: RTMPError.self) { try PublishReplayBuffer(readingState: &bytes) }
    }

    @Test func malformedStateIsRefused() throws {
        let whole = Self.state(of: Self.buffer([Self.key(80)]))
        for count in 0..<whole.readableBytes {
            var part = whole.getSlice(at: 0, length: count) ?? ByteBuffer()
            #expect(throws: RTMPError.self) { try PublishReplayBuffer(readingState: &part) }
        }
        func headers(_ all: [[UInt8]], kind: UInt8 = 9) {
            Self.expectRefused { bytes in
                bytes.writeInteger(UInt8(all.count))
                for payload in all { Self.write(kind, payload, to: &bytes) }
                bytes.writeInteger(0 as UInt32)
            }
        }
        let header: [UInt8] = [0x17, 0, 0, 0, 0]
        // Media, a command, the same one twice, one too long, and too many.
        headers([[0x17, 1, 0, 0, 0]])
        headers([header], kind: 20)
        headers([header, header])
        headers([header + Array(repeating: 0, count: PublishReplayBuffer.longestHeading)])
        headers((0...UInt8(PublishReplayBuffer.mostHeadings)).map { [0x96, 0, 1, 2, 3, 4, $0] })
        func messages(_ count: UInt32, _ kind: UInt8 = 9, length: UInt32? = nil) {
            Self.expectRefused { bytes in
                bytes.writeInteger(0 as UInt8)
                bytes.writeInteger(count)
                Self.write(kind, [1, 2, 3], length: length, to: &bytes)
            }
        }
        messages(2)
        messages(.max)
        messages(1, 20)
        messages(1, length: 4)
        messages(1, length: UInt32(PublishSession.mostBytes) + 1)
        messages(1, length: .max)
    }

    @Test func aBufferThatIsTooLongIsRefused() {
        let count = PublishReplayBuffer.mostBytes / PublishSession.mostBytes + 1
        Self.expectRefused { bytes in
            bytes.writeInteger(0 as UInt8)
            bytes.writeInteger(UInt32(count))
            for _ in 0..<count {
                Self.write(9, [], length: UInt32(PublishSession.mostBytes), to: &bytes)
                bytes.writeRepeatingByte(0, count: PublishSession.mostBytes)
            }
        }
    }
}
