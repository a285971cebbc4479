import ContentProtection
import Foundation
import MediaCore
import PackagerConfig
import Testing

@testable import Hosting

/// The keys that a channel has got from its key source, when another one takes its place.
@Suite(.timeLimit(.minutes(5))) struct GivenKeysTests {
    private static let longer = ["window": ["90"]]

    private static func key(_ period: Int64) -> PeriodKey {
        let keyID = KeyID(Bytes16(high: 1, low: UInt64(period)))
        let header = ProtectionSystemHeader(
            systemID: Bytes16(high: 2, low: 3),
            keyIDs: [keyID],
            data: [0xCA, 0xFE]
        )
        return PeriodKey(
            period: CryptoPeriod(period),
            keyClass: .video,
            keyID: keyID,
            contentKey: ContentKey(Bytes16(high: 0xA7A7_A7A7_A7A7_A7A7, low: 0xA7A7_A7A7_A7A7_A7A7)),
            constantIV: Bytes16(high: 4, low: 5),
            signalling: [.widevine: KeySignalling(uri: "data:,x", header: header, allowedCPC: "com.example:a")],
            displayProtection: .type1
        )
    }

    @Test func reloadKeepsTheKeysOfAFileThatHasOthers() async throws {
        let (stage, keys) = (Stage(), try WrittenKeys())
        let source = try keys.write("a")
        let before = try WrittenKeys.channel(source)
        try await stage.host.add([before])
        let known = try WrittenKeys.asked(in: stage)
        #expect(known.count == 2 && known.allSatisfy { $0.hasPrefix("a") })
        try keys.write("b")
        let after = try WrittenKeys.channel(source, Self.longer)
        try await stage.host.apply(Stage.change(from: [before], to: [after]))
        #expect(stage.factory.assemblies.count == 2)
        #expect(try WrittenKeys.asked(in: stage) == known)
    }

    @Test func anotherKeySourceIsAsked() async throws {
        let (stage, keys) = (Stage(), try WrittenKeys())
        let before = try WrittenKeys.channel(keys.write("a"))
        try await stage.host.add([before])
        #expect(try WrittenKeys.asked(in: stage).allSatisfy { $0.hasPrefix("a") })
        let after = try WrittenKeys.channel(keys.write("b", to: "others"))
        try await stage.host.apply(Stage.change(from: [before], to: [after]))
        let known = try WrittenKeys.asked(in: stage)
        #expect(known.count == 2 && known.allSatisfy { $0.hasPrefix("b") })
    }

    @Test func keysThatDeriveFromASecretStayWhereTheyAre() async throws {
        let stage = Stage()
        try await stage.host.add([try Stage.channel("a", ["encryption": ["sample-aes"]])])
        #expect(try WrittenKeys.asked(in: stage).isEmpty)
    }

    @Test func allOfAKeyGoesToTheNextProcess() throws {
        let settings = try WrittenKeys.channel("speke:https://keys.example/speke")
        let keys = (1...100).map(Self.key)
        let given = try #require(GivenKeys(keys, to: settings))
        var predecessor = ChannelPredecessor(window: nil, streamIdentity: [:], schedule: [])
        predecessor.givenKeys = given
        let json = try JSONEncoder().encode(ChannelHandover(predecessor, secret: nil))
        let handover = try JSONDecoder().decode(ChannelHandover.self, from: json)
        #expect(handover.givenKeys == given && handover.givenKeys?.keys == keys)
        #expect(handover.predecessor(inputs: [], bodies: [:], feeds: [:]).givenKeys == given)
    }

    /// Versions before this one hand none over.
    @Test func handoverWithoutKeysIsRead() throws {
        let predecessor = ChannelPredecessor(window: nil, streamIdentity: ["format": "ts"], schedule: [])
        let json = try JSONEncoder().encode(ChannelHandover(predecessor, secret: nil))
        #expect(!String(decoding: json, as: UTF8.self).contains("givenKeys"))
        let handover = try JSONDecoder().decode(ChannelHandover.self, from: json)
        #expect(handover.givenKeys == nil && handover.streamIdentity == ["format": "ts"])
    }

    @Test func keyOfAClassThatIsNotKnownIsLeftOut() throws {
        let settings = try WrittenKeys.channel("speke:https://keys.example/speke")
        let given = try #require(GivenKeys([Self.key(1)], to: settings))
        let json = String(decoding: try JSONEncoder().encode(given), as: UTF8.self)
        let other = json.replacing(#""video""#, with: #""holograms""#)
        #expect(other != json)
        #expect(try JSONDecoder().decode(GivenKeys.self, from: Data(other.utf8)).keys.isEmpty)
    }

    @Test func noTextOfThemShowsAKey() throws {
        let settings = try WrittenKeys.channel("speke:https://keys.example/speke")
        let given = try #require(GivenKeys([Self.key(1)], to: settings))
        var predecessor = ChannelPredecessor(window: nil, streamIdentity: [:], schedule: [])
        predecessor.givenKeys = given
        let secret = Bytes16(high: 0xA7A7_A7A7_A7A7_A7A7, low: 0xA7A7_A7A7_A7A7_A7A7)
        for value in [given, predecessor, ChannelHandover(predecessor, secret: nil)] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.lowercased().contains("a7a7") && !text.contains("\(secret.high)"))
            }
        }
    }
}
