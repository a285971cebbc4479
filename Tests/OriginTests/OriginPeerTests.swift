import ContentProtection
import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Testing

@testable import Origin

/// Documents for the other member of a pair.
@Suite struct OriginPeerTests {
    private static let documents = ["/live/window.json", "/live/health.json", "/live/schedule.json"]

    private static func token(_ byte: UInt8) throws -> PeerToken {
        let secret = try #require(MasterSecret([UInt8](repeating: byte, count: 32)))
        return try KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil).peerToken()
    }

    private static func fetch(
        _ uri: String,
        of token: PeerToken,
        as credentials: String?,
        _ method: HTTPMethod = .GET
    ) throws -> Answer {
        let refusal = ByteBuffer(string: "{\"encryption\":\"cbcs\"}")
        return try fetch(uri, .holders(of: token, refusal: refusal), as: credentials, method)
    }

    private static func fetch(
        _ uri: String,
        _ access: PeerAccess,
        as credentials: String?,
        _ method: HTTPMethod = .GET
    ) throws -> Answer {
        let channel = OriginChannel(
            name: "live",
            presentation: try Fixture.presentation(),
            peerAccess: access,
            window: { ByteBuffer(string: "document") },
            health: { ByteBuffer(string: "document") },
            schedule: { ByteBuffer(string: "document") }
        )
        let server = OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: [channel],
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines() }
        )
        return server.fetch(uri, method, credentials.map { ["Authorization": $0] } ?? [:])
    }

    @Test(arguments: documents)
    func aPeerThatHoldsTheSecretGetsThem(uri: String) throws {
        let token = try Self.token(1)
        let answer = try Self.fetch(uri, of: token, as: PeerToken.credentials(token))
        #expect(answer.status == .ok)
        #expect(String(buffer: answer.body) == "document")
        #expect(answer.fields.first(name: "Cache-Control") == "no-store")
    }

    @Test(arguments: documents, [HTTPMethod.GET, .HEAD])
    func forAViewerThereIsNothing(uri: String, method: HTTPMethod) throws {
        let answer = try Self.fetch(uri, of: try Self.token(1), as: nil, method)
        let nothing = try Self.fetch("/live/nothing", .everybody, as: nil, method)
        #expect(answer.status == .notFound)
        #expect(answer.fields == nothing.fields)
        #expect(answer.body == nothing.body)
    }

    @Test(arguments: documents)
    func aPeerWithAnotherSecretOrNoneIsToldWhy(uri: String) throws {
        for other in [PeerToken.credentials(try Self.token(2)), PeerToken.credentials(nil)] {
            let answer = try Self.fetch(uri, of: try Self.token(1), as: other)
            #expect(answer.status == .unauthorized)
            #expect(answer.fields.first(name: "WWW-Authenticate") == "Bearer realm=\"peer\"")
            #expect(String(buffer: answer.body) == "{\"encryption\":\"cbcs\"}")
        }
    }

    /// Members of a pair that encrypt nothing have no secret in common.
    @Test(arguments: documents)
    func withoutASecretEverybodyGetsThem(uri: String) throws {
        for credentials in [nil, PeerToken.credentials(nil), PeerToken.credentials(try Self.token(1))] {
            #expect(try Self.fetch(uri, .everybody, as: credentials).status == .ok)
        }
    }

    /// However it is spelled.
    @Test(arguments: documents + ["/live/window%2Ejson", "/live/%77indow.json", "/live/health%2ejson"])
    func withoutAPairThereIsNothing(uri: String) throws {
        for credentials in [nil, PeerToken.credentials(nil), PeerToken.credentials(try Self.token(1))] {
            let answer = try Self.fetch(uri, .nobody, as: credentials)
            #expect(answer.status == .notFound)
            #expect(answer.fields == (try Self.fetch("/live/nothing", .nobody, as: nil)).fields)
        }
    }
}
