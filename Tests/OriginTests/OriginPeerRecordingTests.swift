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

/// Recordings for the other member of a pair, and for nobody else.
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

    // MARK: Floods

    private static let peer = "192.0.2.7"

    private static func question(from address: String) -> Request {
        var request = Request(.GET, slots)
        request.clientAddress = address
        return request
    }

    /// A member that encrypts nothing, and knows the address of the other one.
    private static func memberWithoutASecret() throws -> PastFixture {
        try PastFixture { channel, _ in
            channel.peerAccess = .everybody
            channel.isPeer = { $0 == Self.peer }
        }
    }

    /// Takes the places of questions, for as long as the replies are kept.
    private static func hold(_ addresses: [String], _ fixture: PastFixture) -> [Reply] {
        addresses.map { fixture.responder.reply(to: question(from: $0)) }
            .filter { if case .reading = $0 { true } else { false } }
    }

    private static func isRefused(_ answer: Answer) -> Bool {
        answer.status == .serviceUnavailable && answer.fields.first(name: "Retry-After") == "1"
    }

    /// Questions that nobody has answered yet hold places.
    @Test func aFloodOfQuestionsMeetsItsLimit() throws {
        let fixture = try Self.memberWithoutASecret()
        var replies = Self.hold(Array(repeating: Self.peer, count: 1000), fixture)
        #expect(replies.count == PeerQuestions.most)
        #expect(Self.isRefused(fixture.responder.answer(to: Self.question(from: Self.peer))))
        // Media is asked for a segment at a time, as viewers do.
        #expect(fixture.fetch("/live/video-1080p/\(Fixture.first + 2).m4s").status == .ok)
        replies = []
        for _ in 0..<10 { #expect(fixture.responder.answer(to: Self.question(from: Self.peer)).status == .ok) }
    }

    @Test func aFloodOfStrangersLeavesThePeerItsPlace() throws {
        let fixture = try Self.memberWithoutASecret()
        let strangers = (0..<1000).map { "10.0.\($0 / 250).\($0 % 250)" }
        var replies = Self.hold(strangers, fixture)
        #expect(replies.count == PeerQuestions.mostOfStrangers)
        for address in strangers { #expect(Self.isRefused(fixture.responder.answer(to: Self.question(from: address)))) }
        for _ in 0..<10 { #expect(fixture.responder.answer(to: Self.question(from: Self.peer)).status == .ok) }
        replies = []
        #expect(fixture.responder.answer(to: Self.question(from: "10.0.0.1")).status == .ok)
    }

    /// A client has all addresses of a /64 network of IPv6, and an IPv4 address has two forms.
    @Test(arguments: [
        ("198.51.100.1", "198.51.100.1"), ("::ffff:198.51.100.1", "198.51.100.1"), ("2001:db8::1", "2001:db8::2:1"),
    ])
    func aFloodFromOneNetworkTakesOnePlace(first: String, second: String) throws {
        let fixture = try Self.memberWithoutASecret()
        let replies = Self.hold([first] + Array(repeating: second, count: 1000), fixture)
        #expect(replies.count == 1)
        #expect(Self.isRefused(fixture.responder.answer(to: Self.question(from: second))))
        // A peer that is not known by its address may be another one.
        for address in ["203.0.113.9", "2001:db8:0:1::1"] {
            #expect(fixture.responder.answer(to: Self.question(from: address)).status == .ok)
        }
        withExtendedLifetime(replies) {}
    }

    /// The channels of an origin share the places.
    @Test func whoHoldsTheSecretNeedsNoAddress() throws {
        let token = try Self.token(1)
        let fixture = try Self.fixture(.holders(of: token, refusal: Self.refusal))
        let strangers = ["10.0.0.1", "10.0.0.2", "10.0.0.3"].compactMap { address in
            fixture.responder.peerQuestions.enter(.stranger(network: address))
        }
        #expect(strangers.count == PeerQuestions.mostOfStrangers)
        let fields: HTTPHeaders = ["Authorization": PeerToken.credentials(token)]
        for _ in 0..<10 { #expect(fixture.fetch(Self.slots, .GET, fields).status == .ok) }
        withExtendedLifetime(strangers) {}
    }
}
