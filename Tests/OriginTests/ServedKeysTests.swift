import ContentProtection
import Foundation
import HTTPServing
import KeyServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Origin
import TestSupport
import Testing

/// Keys at an address of their own, and behind tokens.
@Suite struct ServedKeysTests {
    private static let key = "/live/keys/\(Fixture.keyID)"

    private func responder(_ resources: ServedResources, keyResponder: KeyResponder? = nil) throws -> OriginResponder {
        var configuration = OriginConfiguration()
        configuration.resources = resources
        return OriginResponder(
            channels: try Fixture.channels(),
            configuration: configuration,
            keyResponder: keyResponder,
            counters: OriginCounters(),
            log: AccessLog(logger: Logger(label: "origin") { _ in LogLines() }),
            now: { Fixture.now }
        )
    }

    /// A responder that asks for tokens, and a token that it takes.
    private func guarded() async throws -> (keyResponder: KeyResponder, token: String) {
        let issuer = try await TokenIssuer([.init("shared")], [.init()])
        let keyring = TokenKeyring(
            fetch: { [UInt8](issuer.jwks) },
            uptime: { .zero },
            onKeys: { _ in },
            onFailure: { _, _ in }
        )
        try await keyring.refresh()
        let keyResponder = KeyResponder(
            tokens: keyring,
            now: { MediaTime(seconds: Int64(Date.now.timeIntervalSince1970)) },
            uptime: { .zero },
            logger: Logger(label: "keys") { _ in LogLines() }
        )
        return (keyResponder, issuer.tokens[0])
    }

    @Test(arguments: [
        (key, [200, 404, 200]), ("/live/keys.json", [200, 200, 200]), ("/live/index.m3u8", [200, 200, 404]),
        ("/live/video-1080p/450000009.m4s", [200, 200, 404]), ("/", [200, 200, 404]),
        ("/channels.json", [200, 200, 404]),
        ("/live/clearkey", [405, 404, 405]), ("/live/fairplay", [404, 404, 404]),
        ("/live/window.json", [404, 404, 404]), ("/live/recorded.json", [404, 404, 404]),
    ])
    func eachAddressHasItsOwn(target: String, statuses: [UInt]) throws {
        let served: [ServedResources] = [.everything, .withoutKeys, .keys]
        #expect(try served.map { try responder($0).answer(to: Request(.GET, target)).status.code } == statuses)
    }

    @Test func bodiesAreReadWhereTheyCount() throws {
        for (resources, isRead) in [(ServedResources.everything, true), (.withoutKeys, false), (.keys, true)] {
            let verdict = try responder(resources).verdict(on: Request(.POST, "/live/clearkey"))
            if case .body = verdict { #expect(isRead) } else { #expect(!isRead) }
        }
    }

    @Test func aTokenComesInAFieldOrInTheQuery() async throws {
        let (keyResponder, token) = try await guarded()
        let responder = try responder(.keys, keyResponder: keyResponder)
        let requests = [
            Request(.GET, Self.key, ["Authorization": "Bearer \(token)"]),
            Request(.GET, Self.key, ["authorization": "bearer  \(token)"]),
            Request(.GET, "\(Self.key)?a=b&token=\(token)&c"),
        ]
        for request in requests {
            let answer = responder.answer(to: request)
            #expect(answer.status == .ok && answer.body.readableBytes == 16)
            #expect(answer.fields["Cache-Control"] == ["no-store"])
        }
        for target in [Self.key, "\(Self.key)?token=", "\(Self.key)?token", "\(Self.key)?tokens=\(token)"] {
            let answer = responder.answer(to: Request(.GET, target))
            #expect(answer.status == .unauthorized)
            #expect(answer.fields["WWW-Authenticate"] == ["Bearer realm=\"keys\""])
            #expect(String(buffer: answer.body).hasPrefix("{\"error\":\"token-missing\",\"fatal\":true,"))
        }
    }

    @Test func aKeyExpiresWithItsLease() throws {
        for lease in [nil, 60] as [UInt32?] {
            let logger = Logger(label: "keys") { _ in LogLines() }
            let keyResponder = KeyResponder(
                tokens: nil,
                leaseSeconds: lease,
                now: { Fixture.now },
                uptime: { .zero },
                logger: logger
            )
            let answer = try responder(.keys, keyResponder: keyResponder).answer(to: Request(.GET, Self.key))
            let expected = lease.map { HTTPDate.text(Fixture.now + MediaTime(seconds: Int64($0))) }
            #expect(answer.fields["Expires"] == [expected].compactMap(\.self))
            #expect(answer.fields["Cache-Control"] == ["no-store"])
        }
    }

    @Test func aChannelThatIsNotThereIsNoNews() async throws {
        let (keyResponder, token) = try await guarded()
        let responder = try responder(.keys, keyResponder: keyResponder)
        let target = "/none/keys/\(Fixture.keyID)?token=\(token)"
        #expect(responder.answer(to: Request(.GET, target)).status == .forbidden)
    }

    /// A log with a line for each viewer would tell nobody more.
    @Test func aKeyThatIsNotThereYetIsAskedForAgain() throws {
        let (presentation, lines) = (try Fixture.presentation(), LogLines())
        let schedule = KeySchedule(secret: try MasterSecret.random(), channel: "live", slotsPerPeriod: 2)
        var keys = ChannelKeys(directory: schedule, references: { _ in [] }, presentation: presentation) {
            MediaSequenceNumber(Fixture.first + 20)
        }
        keys.recordings = { _ in throw MissingKey() }
        let responder = OriginResponder(
            channels: [OriginChannel(name: "live", presentation: presentation, keys: keys)],
            counters: OriginCounters(),
            log: AccessLog(logger: Logger(label: "origin") { _ in lines }),
            now: { Fixture.now }
        )
        let answer = responder.answer(to: Request(.GET, Self.key))
        #expect(answer.status == .serviceUnavailable && answer.fields["Retry-After"] == ["2"])
        #expect(answer.fields["Cache-Control"] == ["no-store"])
        #expect(!lines.all.contains { $0.hasPrefix("error") }, "\(lines.all)")
    }
}
