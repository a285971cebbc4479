import NIOCore
import Testing

@testable import Publishing

@Suite struct PublishSessionTests {
    private static func media(_ actions: [PublishSession.Action]) -> [RTMPMessage] {
        actions.compactMap { if case .media(let message) = $0 { message } else { nil } }
    }

    private static func requests(_ actions: [PublishSession.Action]) -> [PublishRequest] {
        actions.compactMap { if case .requested(let request) = $0 { request } else { nil } }
    }

    /// Commands that were sent, by their names and the code of their information.
    private static func said(_ actions: [PublishSession.Action], greeted: Bool = true) throws -> [String] {
        var bytes = ByteBuffer()
        for case .send(let part) in actions { bytes.writeImmutableBuffer(part) }
        if greeted { bytes.moveReaderIndex(forwardBy: 1 + 2 * 1_536) }
        var chunks = ChunkReader(mostBytes: 65_536)
        var said: [String] = []
        while var message = try chunks.read(&bytes) {
            guard message.kind == .command else { continue }
            let values = message.payload.readAMF0Values()
            let code = values.last?.properties?["code"]?.text
            said.append([values.first?.text, code].compactMap(\.self).joined(separator: " "))
        }
        return said
    }

    @Test func anEncoderIsAskedForItsStreamAndLetIn() throws {
        var session = PublishSession()
        let actions = try session.read(Encoder.asking(application: "live", name: "key?a=b"))
        #expect(Self.requests(actions).map(\.path) == ["live/key?a=b"])
        #expect(try Self.said(actions) == ["_result NetConnection.Connect.Success", "_result", "_result"])
        let accepted = try session.accept()
        #expect(try Self.said(accepted, greeted: false) == ["onStatus NetStream.Publish.Start"])
        let picture = Encoder.media(.video, Array(repeating: 9, count: 1000), at: 0xFF_FFFE)
        #expect(Self.media(try session.read(Encoder.message(picture))) == [picture])
        #expect(try session.read(Encoder.command(.string("deleteStream"), .number(0), .null, .number(1))) == [.ended])
    }

    @Test func whoIsRefusedIsToldAndHeardNoMore() throws {
        var session = PublishSession()
        _ = try session.read(Encoder.asking(application: "live", name: "guess"))
        let refusal = session.refuse(.unknownStream)
        #expect(try Self.said([.send(refusal)], greeted: false) == ["onStatus NetStream.Publish.BadName"])
        #expect(try session.read(Encoder.message(Encoder.media(.video, [1]))) == [])
        #expect(try session.accept() == [])
    }

    @Test func mediaBeforeTheAnswerWaitsForIt() throws {
        var session = PublishSession()
        var bytes = Encoder.asking(application: "live", name: "key")
        let early = Encoder.media(.audio, [1, 2, 3])
        bytes.writeImmutableBuffer(Encoder.message(early))
        #expect(Self.media(try session.read(bytes)) == [])
        #expect(Self.media(try session.accept()) == [early])
    }

    @Test func mediaWithoutPublishIsNone() throws {
        var session = PublishSession()
        _ = try session.read(Encoder.greeting)
        #expect(try session.read(Encoder.message(Encoder.media(.video, [1]))) == [])
    }

    @Test func howBytesAreDividedChangesNothing() throws {
        var whole = PublishSession()
        var bytes = Encoder.asking(application: "a/b", name: "c")
        var parts = PublishSession()
        let expected = try whole.read(bytes)
        var actions: [PublishSession.Action] = []
        while let part = bytes.readSlice(length: min(bytes.readableBytes, 7)), part.readableBytes > 0 {
            actions += try parts.read(part)
        }
        #expect(actions == expected)
    }

    @Test func anEncoderThatWantsAcknowledgementsHasThem() throws {
        var session = PublishSession()
        _ = try session.read(Encoder.asking(application: "live", name: "key"))
        _ = try session.accept()
        let window = RTMPMessage(.windowAcknowledgementSize, payload: ByteBuffer(integer: 5000 as UInt32))
        _ = try session.read(Encoder.message(window))
        var acknowledged = 0
        for _ in 0..<10 {
            let actions = try session.read(Encoder.message(Encoder.media(.video, Array(repeating: 0, count: 1000))))
            acknowledged += actions.count { if case .send = $0 { true } else { false } }
        }
        #expect(acknowledged == 2)
    }

    @Test func whoWantsToWatchIsSentAway() throws {
        var session = PublishSession()
        var bytes = Encoder.greeting
        bytes.writeImmutableBuffer(Encoder.command(.string("play"), .number(4), .null, .string("key"), stream: 1))
        let actions = try session.read(bytes)
        #expect(actions.last == .ended)
        #expect(try Self.said(actions) == ["onStatus NetStream.Play.Failed"])
    }

    @Test(arguments: [[0x47] as [UInt8], Array("GET / HTTP/1.1\r\n".utf8), [0x16, 0x03, 0x01]])
    func otherProtocolsAreNotListenedTo(bytes: [UInt8]) {
        var session = PublishSession()
        #expect(throws: RTMPError.notRTMP) { try session.read(ByteBuffer(bytes: bytes)) }
    }

    /// A stranger must not have the memory of a publisher.
    @Test func strangersMaySayLittle() throws {
        var session = PublishSession()
        _ = try session.read(Encoder.greeting)
        var header = ByteBuffer(bytes: [3, 0, 0, 0])
        header.writeBytes([0x10, 0, 0, 20, 0, 0, 0, 0])
        #expect(throws: RTMPError.excessive("bytes in a message")) { try session.read(header) }
    }

    /// Media in front of an error is not lost with it, also if both are read at once.
    @Test func mediaBeforeAnErrorCounts() throws {
        var session = try CapturedSession.accepted
        let picture = Encoder.media(.video, [0x17, 1, 0, 0, 0, 9])
        var bytes = Encoder.message(picture)
        // The header of a message of 16 MB.
        bytes.writeBytes([3, 0, 0, 0, 0xFF, 0xFF, 0xFF, 9, 0, 0, 0, 0])
        var actions: [PublishSession.Action] = []
        #expect(throws: RTMPError.excessive("bytes in a message")) { try session.read(bytes, into: &actions) }
        #expect(actions == [.media(picture)])
    }

    private static func ping(_ count: Int) -> ByteBuffer {
        var payload = ByteBuffer(integer: 6 as UInt16)
        payload.writeRepeatingByte(5, count: count)
        return Encoder.message(RTMPMessage(.userControl, payload: payload), size: 65_536)
    }

    private static func sent(_ actions: [PublishSession.Action]) -> Int {
        actions.reduce(0) { if case .send(let bytes) = $1 { $0 + bytes.readableBytes } else { $0 } }
    }

    /// RTMP 1.0 § 7.1.7: four bytes of time, whatever else came.
    @Test func pingIsAnsweredWithItsTimeAlone() throws {
        var session = PublishSession()
        _ = try session.read(Encoder.asking(application: "live", name: "key"))
        _ = try session.accept()
        _ = try session.read(
            Encoder.message(RTMPMessage(.init(rawValue: 1), payload: ByteBuffer(integer: 65_536 as UInt32)))
        )
        #expect(Self.sent(try session.read(Self.ping(60_000))) == 12 + 6)
        #expect(Self.sent(try session.read(Self.ping(3))) == 0)
    }

    /// A stranger's session ends after so many bytes with few answers, whatever is said and in whatever pieces.
    @Test(arguments: [1, 7, 1_000, 65_536])
    func strangersAreHeardAndAnsweredLittle(size: Int) throws {
        let floods = [
            Self.ping(4), Self.ping(60_000), Encoder.command(.string("createStream"), .number(3), .null),
            Encoder.command(.string("connect"), .number(1), .object([:])), Encoder.command(.string("_checkbw")),
            Encoder.message(RTMPMessage(.init(rawValue: 1), payload: ByteBuffer(integer: 1 as UInt32))),
            Encoder.message(RTMPMessage(.init(rawValue: 18), payload: ByteBuffer(repeating: 5, count: 100))),
        ]
        for flood in floods {
            var session = PublishSession()
            _ = try session.read(Encoder.greeting)
            var (heard, answered) = (0, 0)
            #expect(throws: RTMPError.self) {
                while heard < 1 << 20 {
                    var rest = flood
                    while rest.readableBytes > 0, let part = rest.readSlice(length: min(size, rest.readableBytes)) {
                        heard += part.readableBytes
                        answered += Self.sent(try session.read(part))
                    }
                }
            }
            #expect(heard <= PublishSession.mostBytesOfStrangers + flood.readableBytes)
            #expect(answered < 20_000)
        }
    }

    /// Commands that are answered before a stream is asked for have no answer behind it.
    @Test func publisherIsNotAnsweredWhatStrangersAsk() throws {
        var session = PublishSession()
        _ = try session.read(Encoder.asking(application: "live", name: "key"))
        _ = try session.accept()
        for name in ["connect", "createStream", "releaseStream", "_checkbw"] {
            #expect(try session.read(Encoder.command(.string(name), .number(1), .null)) == [])
        }
    }

    @Test func progressIsCounted() throws {
        var session = PublishSession()
        var bytes = Encoder.asking(application: "live", name: "key")
        var seen: [Int] = [session.progress]
        while let byte = bytes.readSlice(length: 1) {
            _ = try session.read(byte)
            if seen.last != session.progress { seen.append(session.progress) }
        }
        #expect(seen == [0, 1, 2, 3])
    }
}
