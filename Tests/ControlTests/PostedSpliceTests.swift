import Foundation
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import SCTE35
import TestSupport
import Testing

@testable import Control

/// Splices and metadata that are posted to the control API.
@Suite struct PostedSpliceTests {
    private static func splice(_ json: String) throws -> (PostedSplice, SpliceInfoSection) {
        let splice = try #require(try PostedSplice.posted(json: ByteBuffer(string: json), now: Fixture.now).first)
        return (splice, try SpliceInfoSection(splice.section.span.bytes))
    }

    private static func post(
        _ what: String,
        _ body: String,
        to channel: ChannelStatus = Fixture.live
    ) async throws -> (status: Int, body: String) {
        let answer = await Fixture.server(channels: [StubChannel(channel)]).fetch(
            "/channels/\(channel.name)/\(what)",
            .POST,
            ["Content-Type": "application/json"],
            body: ByteBuffer(string: body)
        )
        return (Int(answer.status.code), String(buffer: answer.body))
    }

    @Test func aWayOutOfTheProgramme() throws {
        let json = #"{"event": 4294967295, "out": true, "at": "2026-11-21T12:00:10Z", "duration": 30.5, "program": 3}"#
        let (splice, section) = try Self.splice(json)
        #expect(splice.time == Fixture.now + MediaTime(seconds: 10))
        guard case .clear(.insert(let insert), []) = section.content, let details = insert.details else {
            Issue.record("\(section)")
            return
        }
        #expect(insert.eventID == .max && details.isOut && details.programID == 3)
        #expect(details.place == .program(UInt64(splice.time.ticks) % (1 << 33)))
        #expect(details.duration == BreakDuration(ticks: 2_745_000, returnsByItself: true))
    }

    @Test func aSignalOfASegmentation() throws {
        let json = #"{"event": 9, "type": 52, "duration": 60, "upid": {"type": 9, "text": "SIGNAL:1"}, "segment": 1}"#
        let (splice, section) = try Self.splice(json)
        #expect(splice.time == Fixture.now)
        guard case .clear(.timeSignal(let time?), let descriptors) = section.content,
            case .segmentation(let segmentation)? = descriptors.first, let details = segmentation.details
        else {
            Issue.record("\(section)")
            return
        }
        #expect(time == UInt64(Fixture.now.ticks) % (1 << 33) && segmentation.eventID == 9)
        #expect(details.type == .providerPlacementOpportunityStart && details.duration == 5_400_000)
        #expect(details.upid.text == "SIGNAL:1" && details.segment.number == 1)
    }

    /// A section has its own time, unless the request gives one.
    @Test func aSectionAsItIs() throws {
        let later = Fixture.now + MediaTime(seconds: 20)
        let place = SpliceInsert.Place.program(UInt64(later.ticks) % (1 << 33))
        let section = SpliceInfoSection(.insert(SpliceInsert(eventID: 7, details: .init(isOut: true, place: place))))
        let bytes = try section.bytes()
        for text in [bytes.hex, "0x\(bytes.hex)", Data(bytes).base64EncodedString()] {
            let (splice, _) = try Self.splice(#"{"section": "\#(text)"}"#)
            #expect(splice.time == later && splice.section == bytes)
        }
        let (moved, read) = try Self.splice(#"{"section": "\#(bytes.hex)", "at": "2026-11-21T12:01:00Z"}"#)
        #expect(moved.time == Fixture.now + MediaTime(seconds: 60))
        #expect(read.timestamp(of: UInt64(later.ticks) % (1 << 33)) == UInt64(moved.time.ticks) % (1 << 33))
    }

    @Test(arguments: [
        ("{}", #"\"event\" is missing"#), (#"{"event": -1, "out": true}"#, #"\"event\" must be a whole number"#),
        (#"{"event": 1.5, "out": true}"#, #"\"event\" must be"#), (#"{"event": 1}"#, #"\"out\" is missing"#),
        (#"{"event": 1, "out": "yes"}"#, #"\"out\" must be true or false"#),
        (#"{"event": 1, "out": false, "duration": 3}"#, "goes with a way out"),
        (#"{"event": 1, "out": true, "auto-return": true}"#, #"needs a \"duration\""#),
        (#"{"event": 1, "out": true, "at": "then"}"#, #"\"at\" must be"#),
        (#"{"event": 1, "out": true, "at": "1969-12-31T23:59:59Z"}"#, #"\"at\" must lie between 1970"#),
        (#"{"event": 1, "type": 52, "at": "0026-11-23T20:00:00Z"}"#, #"\"at\" must lie between 1970"#),
        (#"{"event": 1, "out": true, "at": "9999-12-31T23:59:59Z"}"#, #"\"at\" must lie between 1970"#),
        (
            #"{"section": "fc302000000000000000fff00f0506fffe00000001", "at": "0001-01-01T00:00:00Z"}"#,
            #"\"at\" must lie between 1970"#
        ),
        (#"{"event": 1, "out": true, "event": 2}"#, #"\"event\" is there twice"#),
        (#"{"event": 1, "out": true, "colour": 1}"#, #"unknown key \"colour\""#),
        (#"{"event": 1, "type": 256}"#, #"\"type\" must be"#),
        (#"{"event": 1, "type": 52, "upid": {"type": 1}}"#, #"\"upid\" must be"#),
        (#"{"section": "zz"}"#, "hexadecimal digits or Base64"), (#"{"section": "FC"}"#, "no splice_info_section"),
        (#"{"section": 7}"#, #"\"section\" must be a text"#), (#"{"splices": {}}"#, "a list with something in it"),
        (#"{"splices": [{"event": 1, "out": true}, {}]}"#, #"splices[1]: \"event\""#),
    ])
    func whatIsNoSpliceIsRefusedInWords(body: String, problem: String) async throws {
        let answer = try await Self.post("splices", body)
        #expect(answer.status == 400 && answer.body.contains(problem), "\(answer.body)")
    }

    @Test func eachIsAnsweredWithItsSlot() async throws {
        let body = """
            {"splices": [{"event": 1, "out": true}, {"event": 2, "out": true, "at": "2026-11-21T11:00:00Z"}]}
            """
        let answer = try await Self.post("splices", body)
        #expect(answer.status == 200 && answer.body.contains("\"slot\" : \(Fixture.now.ticks / 360_000)"))
        #expect(answer.body.contains("it ends before"), "\(answer.body)")
    }

    @Test func framesMakeATag() throws {
        let json = """
            {"frames": [{"id": "TIT2", "value": "Ünï"}, {"id": "TXXX", "description": "a", "value": "b"}, \
            {"id": "PRIV", "owner": "me", "base64": "AQID"}]}
            """
        let posted = try #require(try PostedMetadata.posted(json: ByteBuffer(string: json), now: Fixture.now).first)
        let title: [UInt8] = Array("TIT2".utf8) + [0, 0, 0, 6, 0, 0, 3] + "Ünï".utf8
        let user: [UInt8] = Array("TXXX".utf8) + [0, 0, 0, 4, 0, 0, 3, 0x61, 0, 0x62]
        let data: [UInt8] = Array("PRIV".utf8) + [0, 0, 0, 6, 0, 0, 0x6D, 0x65, 0, 1, 2, 3]
        let body = title + user + data
        #expect(posted.tag == Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(body.count)] + body)
        let whole = #"{"at": "now", "tag": "\#(Data(posted.tag).base64EncodedString())"}"#
        let again = try #require(try PostedMetadata.posted(json: ByteBuffer(string: whole), now: Fixture.now).first)
        #expect(again == posted)
    }

    @Test func aUserTextNeedsNoDescription() async throws {
        let answer = try await Self.post("metadata", #"{"frames": [{"id": "TXXX", "description": "", "value": "b"}]}"#)
        #expect(answer.status == 200, "\(answer.body)")
    }

    @Test(arguments: [
        ("{}", #"\"frames\" must be a list"#), (#"{"frames": []}"#, #"\"frames\" must be a list"#),
        (#"{"frames": [1]}"#, "frames[0] must be an object"), (#"{"frames": [{"id": "APIC"}]}"#, "TXXX, PRIV"),
        (#"{"frames": [{"id": "TIT2"}]}"#, #"TIT2 needs a \"value\""#),
        (#"{"frames": [{"id": "TIT2", "value": "a\u0000b"}]}"#, #"TIT2 needs a \"value\""#),
        (#"{"frames": [{"id": "PRIV", "owner": "o", "base64": "?"}]}"#, "PRIV needs"),
        (#"{"frames": [{"id": "TIT2", "value": "x", "text": "y"}]}"#, #"frames[0]: unknown key \"text\""#),
        (#"{"tag": "SUQz"}"#, "a whole ID3 tag"), (#"{"tag": "SUQzBAAAAAAABQE="}"#, "a whole ID3 tag"),
        (#"{"tag": 1}"#, #"\"tag\" must be a text"#),
        (#"{"at": 1, "frames": [{"id": "TIT2", "value": "x"}]}"#, #"\"at\""#),
    ])
    func whatIsNoTagIsRefusedInWords(body: String, problem: String) async throws {
        let answer = try await Self.post("metadata", body)
        #expect(answer.status == 400 && answer.body.contains(problem), "\(answer.body)")
    }

    @Test(arguments: [
        #"{"event": -1, "out": true, "duration": 30}"#, #"{"event": 1, "type": 256, "segment": 1}"#,
        #"{"out": true, "program": 3}"#,
    ])
    func aMistakeInASpliceIsNamedOnce(body: String) {
        let error = #expect(throws: MalformedRequest.self) {
            try PostedSplice.posted(json: ByteBuffer(string: body), now: Fixture.now)
        }
        #expect(error?.problems.count == 1, "\(error?.problems ?? [])")
    }

    @Test(arguments: [
        #"{"id": "TIT2", "value": "\#(String(repeating: "x", count: 60_000))"}"#, #"{"id": "TITLE", "value": "x"}"#,
        #"{"id": "PRIV", "owner": 7, "base64": "AQID"}"#,
    ])
    func aMistakeInAFrameIsNamedOnce(frame: String) {
        let error = #expect(throws: MalformedRequest.self) {
            try PostedMetadata.posted(json: ByteBuffer(string: #"{"frames": [\#(frame)]}"#), now: Fixture.now)
        }
        #expect(error?.problems.count == 1, "\(error?.problems ?? [])")
    }

    /// Bodies of any kind are answered, whatever they are.
    @Test func strangersBytesAreRefused() throws {
        var random = SeededGenerator(seed: 11)
        let seeds = [
            #"{"event": 1, "type": 52, "duration": 9.5, "upid": {"type": 9, "text": "x"}, "at": "now"}"#,
            #"{"section": "fc302000000000000000fff00f0506fffe00000001"}"#, #"{"tag": "SUQzBAAAAAAAAwECAw=="}"#,
            #"{"frames": [{"id": "TXXX", "value": "x"}]}"#,
        ]
        for _ in 0..<600 {
            var bytes = Array(seeds.randomElement(using: &random)!.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
            }
            let body = ByteBuffer(bytes: bytes)
            do throws(MalformedRequest) {
                _ = try PostedSplice.posted(json: body, now: Fixture.now)
            } catch {
                #expect(!error.problems.isEmpty)
            }
            do throws(MalformedRequest) {
                for tag in try PostedMetadata.posted(json: body, now: Fixture.now) {
                    #expect(ID3Tag.isWhole(tag.tag), "\(String(buffer: body))")
                }
            } catch {
                #expect(!error.problems.isEmpty)
            }
        }
    }

    /// A warning tells the client that something is on air but not on the disk.
    @Test(arguments: [
        ("splices", #"{"event": 1, "out": true}"#),
        ("metadata", #"{"frames": [{"id": "TIT2", "value": "a"}]}"#),
        ("cues", #"{"language": "en", "text": "x", "duration": 1}"#),
        ("dateranges", #"{"ID": "a", "START-DATE": "now"}"#),
    ])
    func whatIsNotKeptIsSaid(what: String, body: String) async throws {
        let kept = try await Self.post(what, body)
        #expect(kept.status == 200 && !kept.body.contains("warning"), "\(kept.body)")
        var full = Fixture.live
        full.name = "full"
        let answer = try await Self.post(what, body, to: full)
        #expect(answer.status == 200 && answer.body.contains("slot"))
        #expect(answer.body.contains("but a restart would lose it: No space left on device"), "\(answer.body)")
    }
}
