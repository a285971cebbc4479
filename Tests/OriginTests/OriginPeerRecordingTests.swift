import ContentProtection
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Recording
import Testing

@testable import Origin

/// What is recorded, for the other member of a pair and for nobody else.
@Suite struct OriginPeerRecordingTests {
    private static let slots = "/live/recorded.json?first=\(Fixture.first + 2)&count=5"
    private static let segment = "/live/recorded/video-1080p/\(Fixture.first + 2).m4s"
    private static let initialization = "/live/recorded/video-1080p/init.mp4"
    private static let refusal = ByteBuffer(string: "{\"encryption\":\"cbcs\"}")

    private static func token(_ byte: UInt8) throws -> PeerToken {
        let secret = try #require(MasterSecret([UInt8](repeating: byte, count: 32)))
        return try KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil).peerToken()
    }

    private static func fixture(_ access: PeerAccess, slots: Int64 = 20, delay: MediaTime = .zero) throws -> PastFixture
    {
        try PastFixture(slots: slots, delay: delay) { channel, _ in channel.peerAccess = access }
    }

    private static func number(_ index: Int64) -> MediaSequenceNumber { MediaSequenceNumber(Fixture.first + index) }

    @Test func aPeerThatHoldsTheSecretGetsSlotsAndMedia() throws {
        let token = try Self.token(1)
        // Viewers are behind, and the peer is not.
        let fixture = try Self.fixture(.holders(of: token, refusal: Self.refusal), delay: MediaTime(seconds: 3600))
        let fields: HTTPHeaders = ["Authorization": PeerToken.credentials(token)]
        let answer = fixture.fetch(Self.slots, .GET, fields)
        #expect(answer.status == .ok && answer.fields.first(name: "Cache-Control") == "no-store")
        let told = try RecordedSlots(json: answer.body)
        #expect(told.numbers == Self.number(2)..<Self.number(7) && told.extent == Self.number(0)..<Self.number(20))
        #expect(told.slots.map(\.number) == Array(told.numbers) && told.segmentDuration == MediaTime(seconds: 4))
        let slot = try #require(told.slots.first)
        let media = fixture.fetch(Self.segment, .GET, fields)
        #expect(media.status == .ok && media.body == Fixture.segment)
        #expect(media.fields.first(name: "ETag") == slot.segments["video-1080p"]?.entityTag)
        #expect(media.fields.first(name: "Cache-Control") == "no-store")
        #expect(String(buffer: fixture.fetch(Self.initialization, .GET, fields).body) == "init")
        #expect(fixture.fetch("/live/video-1080p/\(Fixture.first + 2).m4s").status == .notFound)
        let head = fixture.fetch(Self.slots, .HEAD, fields)
        #expect(head.status == .ok && head.body.readableBytes == 0)
    }

    @Test(arguments: [slots, segment, initialization], [HTTPMethod.GET, .HEAD])
    func othersGetNothing(target: String, method: HTTPMethod) throws {
        let token = try Self.token(1)
        let pair = try Self.fixture(.holders(of: token, refusal: Self.refusal))
        let single = try Self.fixture(.nobody)
        let nothing = pair.fetch("/live/nothing", method)
        for answer in [
            pair.fetch(target, method), single.fetch(target, method),
            single.fetch(target, method, ["Authorization": PeerToken.credentials(token)]),
        ] {
            #expect(answer.status == .notFound && answer.fields == nothing.fields && answer.body == nothing.body)
        }
        let other = pair.fetch(target, method, ["Authorization": PeerToken.credentials(try Self.token(2))])
        #expect(other.status == .unauthorized)
        #expect(pair.fetch(target.replacing("/live/", with: "/other/"), method).status == .notFound)
    }

    /// Members that encrypt nothing cannot tell each other from viewers, who may have to wait or to pay.
    @Test func withoutASecretMediaIsAtItsUsualPlace() throws {
        let fixture = try Self.fixture(.everybody)
        #expect(try RecordedSlots(json: fixture.fetch(Self.slots).body).slots.count == 5)
        #expect(fixture.fetch(Self.segment).status == .notFound)
        #expect(fixture.fetch("/live/video-1080p/\(Fixture.first + 2).m4s").status == .ok)
    }

    @Test func aChannelThatRecordsNothingSaysSo() throws {
        let fixture = try PastFixture { channel, _ in
            channel.past = nil
            channel.peerAccess = .everybody
        }
        #expect(fixture.fetch(Self.slots).status == .notFound)
    }

    @Test(arguments: [
        "", "?", "?first=1", "?count=1", "?first=1&count=65", "?first=1&count=-1", "?first=-1&count=1",
        "?first=&count=1",
        "?first=1&count=1&count=1", "?first=1&first=1&count=1", "?first=1&count=1&x=1", "?first=0x1&count=1",
        "?first=+1&count=1", "?first=9223372036854775807&count=1", "?first=99999999999999999999&count=1",
        "?first=137438953472&count=1", "?first=1&count=1;", "?first=%31&count=1",
    ])
    func aMalformedQuestionIsRefused(query: String) throws {
        let fixture = try Self.fixture(.everybody)
        #expect(fixture.fetch("/live/recorded.json\(query)").status == .badRequest)
    }

    @Test(arguments: [
        // As many as an answer has; none, to learn what there is; what was never recorded.
        (Fixture.first, 64, 20), (Fixture.first + 4, 0, 0), (0, 64, 0), (1 << 36, 64, 0), (Fixture.first - 10, 20, 10),
    ])
    func aQuestionIsAnsweredWithWhatIsThere(first: Int64, count: Int, found: Int) throws {
        let fixture = try Self.fixture(.everybody)
        let answer = fixture.fetch("/live/recorded.json?first=\(first)&count=\(count)")
        let told = try RecordedSlots(json: answer.body)
        #expect(told.slots.count == found && told.extent == Self.number(0)..<Self.number(20))
    }

    /// Questions that nobody has answered yet hold places, and no more than two of them.
    @Test func aFloodOfQuestionsMeetsItsLimit() throws {
        let fixture = try Self.fixture(.everybody)
        var replies = (0..<2).map { _ in fixture.responder.reply(to: Request(.GET, Self.slots)) }
        for reply in replies {
            guard case .reading = reply else {
                Issue.record("it was refused")
                return
            }
        }
        for _ in 0..<1000 {
            let answer = fixture.fetch(Self.slots)
            #expect(answer.status == .serviceUnavailable && answer.fields.first(name: "Retry-After") == "1")
        }
        // Media is asked for a segment at a time, as viewers do.
        #expect(fixture.fetch("/live/video-1080p/\(Fixture.first + 2).m4s").status == .ok)
        replies = []
        for _ in 0..<10 { #expect(fixture.fetch(Self.slots).status == .ok) }
    }
}
