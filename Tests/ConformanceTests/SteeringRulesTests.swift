import NIOCore
import Playlists
import Testing

@testable import Conformance

@Suite struct SteeringRulesTests {
    private static let url = "http://a/t/pass/live/index.m3u8?token=x"
    private static let good = "{\"VERSION\":1,\"TTL\":30,\"PATHWAY-PRIORITY\":[\".\"]}"

    /// Findings about a manifest beside the playlist.
    private static func findings(
        _ manifest: String?,
        pathway: String? = ".",
        at uri: String = "steering.json"
    ) async -> [String] {
        let origin = MemoryOrigin()
        origin["http://a/t/pass/live/steering.json"] = manifest.map { ByteBuffer(string: $0) }
        var playlist = MultivariantPlaylist(variants: [.init(uri: "video.m3u8", bandwidth: 1, codecs: [])])
        playlist.steering = .init(serverURI: uri, pathwayID: pathway)
        return await SteeringRules.findings(in: playlist, at: url, through: origin).map(\.description)
    }

    @Test func aPlaylistWithoutSteeringIsFine() async {
        let playlist = MultivariantPlaylist(variants: [.init(uri: "video.m3u8", bandwidth: 1, codecs: [])])
        #expect(await SteeringRules.findings(in: playlist, at: Self.url, through: MemoryOrigin()).isEmpty)
    }

    @Test(arguments: [".", nil])
    func aManifestThatPlayersCanUseIsFine(pathway: String?) async {
        #expect(await Self.findings(Self.good, pathway: pathway) == [])
        #expect(await Self.findings(nil, pathway: pathway, at: "data:application/json,%7B%7D") == [])
    }

    @Test func thePathwayIsThatOfAVariant() async {
        let found = await Self.findings(Self.good, pathway: "b")
        #expect(found.count == 1)
        #expect(
            found.first?.hasSuffix(
                "steeringPathwayUnknown: no variant has PATHWAY-ID \"b\" (RFC 8216bis § 4.4.6.6)"
            ) == true,
            "\(found)"
        )
    }

    @Test(
        arguments: [
            (nil, "steering.json: status 404"), ("", "is no steering manifest"), ("{}", "is no steering manifest"),
            (String(repeating: " ", count: 1 << 21) + good, "is no steering manifest"),
            ("{\"VERSION\":2,\"TTL\":30,\"PATHWAY-PRIORITY\":[\".\"]}", "VERSION is 2, not 1"),
            (
                "{\"VERSION\":1,\"TTL\":30,\"PATHWAY-PRIORITY\":[\"b\"]}",
                "PATHWAY-PRIORITY names no pathway that is there"
            ),
        ] as [(String?, String)]
    )
    func otherManifestsAreNamed(manifest: String?, words: String) async {
        let found = await Self.findings(manifest)
        #expect(found.count == 1)
        #expect(
            found.first?.contains("steeringManifestInvalid: ") == true && found.first?.contains(words) == true,
            "\(found)"
        )
    }
}
