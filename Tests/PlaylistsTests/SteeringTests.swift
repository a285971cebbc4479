import Foundation
import MediaCore
import Testing

@testable import Playlists

/// Content steering: the tag, the pathways of variants, and steering manifests.
@Suite struct SteeringTests {
    private typealias Steering = MultivariantPlaylist.Steering

    private static func playlist(_ lines: String...) -> String {
        (["#EXTM3U"] + lines + ["#EXT-X-STREAM-INF:BANDWIDTH=1", "a.m3u8", ""]).joined(separator: "\n")
    }

    // MARK: The tag

    @Test func itIsWrittenAndReadBack() throws {
        let variant = MultivariantPlaylist.Variant(uri: "a.m3u8", bandwidth: 1, codecs: ["avc1.64001e"], stableID: "a")
        var playlist = MultivariantPlaylist(variants: [variant], iFrameVariants: [variant])
        #expect(!playlist.render().contains("PATHWAY") && playlist.pathways == ["."])
        playlist.steer(by: Steering(serverURI: "steering.json", pathwayID: "cdn-a"))
        let text = playlist.render()
        #expect(text.contains("\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"steering.json\",PATHWAY-ID=\"cdn-a\"\n"))
        #expect(text.components(separatedBy: ",STABLE-VARIANT-ID=\"a\",PATHWAY-ID=\"cdn-a\"").count == 3)
        #expect(text.hasPrefix("#EXTM3U\n#EXT-X-VERSION:1\n"), "no version has it alone")
        let read = try MultivariantPlaylist(parsing: text)
        #expect(read.steering == playlist.steering && read.pathways == ["cdn-a"])
        #expect(read.iFrameVariants.map(\.pathwayID) == ["cdn-a"])
        playlist.steer(by: nil)
        #expect(playlist == MultivariantPlaylist(variants: [variant], iFrameVariants: [variant]))
    }

    @Test func thePathwayNeedNotBeNamed() throws {
        let read = try MultivariantPlaylist(
            parsing: Self.playlist("#EXT-X-CONTENT-STEERING:SERVER-URI=\"https://a/s\"")
        )
        #expect(read.steering == Steering(serverURI: "https://a/s") && read.pathways == ["."])
    }

    @Test(
        arguments: [
            ("", PlaylistParsingError.Reason.malformed(tag: "EXT-X-CONTENT-STEERING")),
            ("PATHWAY-ID=\"a\"", .malformed(tag: "EXT-X-CONTENT-STEERING")),
            ("SERVER-URI=a", .malformed(tag: "EXT-X-CONTENT-STEERING")),
            ("SERVER-URI=\"a\"\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"a\"", .duplicate(tag: "EXT-X-CONTENT-STEERING")),
        ] as [(String, PlaylistParsingError.Reason)]
    )
    func otherTagsAreRefused(attributes: String, reason: PlaylistParsingError.Reason) {
        let text = Self.playlist("#EXT-X-CONTENT-STEERING:\(attributes)")
        let error = #expect(throws: PlaylistParsingError.self) { try MultivariantPlaylist(parsing: text) }
        #expect(error?.reason == reason)
    }

    // MARK: Manifests

    /// The second example of RFC 8216bis § 7.2, in its words.
    @Test func aManifestOfTheStandardIsRead() throws {
        let json = """
            {
                "VERSION": 1, "TTL": 300, "RELOAD-URI": "https://example.com/steering?video=00012&session=123",
                "PATHWAY-PRIORITY": ["CDN-A-CLONE", "CDN-A", "CDN-B"],
                "PATHWAY-CLONES": [{
                    "BASE-ID": "CDN-A", "ID": "CDN-A-CLONE",
                    "URI-REPLACEMENT": {
                        "HOST": "backup2.example.com", "PARAMS": {"token-for-clone": "6747c8b9"},
                        "PER-VARIANT-URIS": {"a": "https://q.example.com/a.m3u8"}
                    }
                }]
            }
            """
        let manifest = try JSONDecoder().decode(SteeringManifest.self, from: Data(json.utf8))
        #expect(manifest.ttl == 300 && manifest.priority == ["CDN-A-CLONE", "CDN-A", "CDN-B"])
        let clone = try #require(manifest.clones?.first)
        #expect(clone.baseID == "CDN-A" && clone.replacement.host == "backup2.example.com")
        #expect(clone.replacement.parameters == ["token-for-clone": "6747c8b9"])
        #expect(
            clone.replacement.variants?["a"] == "https://q.example.com/a.m3u8" && clone.replacement.renditions == nil
        )
        #expect(manifest.problems(forPathways: ["CDN-A", "CDN-B"]) == [])
        #expect(try JSONDecoder().decode(SteeringManifest.self, from: JSONEncoder().encode(manifest)) == manifest)
    }

    @Test(arguments: [
        "", "[]", "{}", "{\"VERSION\":1,\"TTL\":1}", "{\"VERSION\":1,\"PATHWAY-PRIORITY\":[\"a\"]}",
        "{\"VERSION\":\"1\",\"TTL\":1,\"PATHWAY-PRIORITY\":[\"a\"]}",
        "{\"VERSION\":1,\"TTL\":1,\"PATHWAY-PRIORITY\":\"a\"}",
        "{\"VERSION\":1,\"TTL\":1,\"PATHWAY-PRIORITY\":[\"a\"],\"PATHWAY-CLONES\":[{\"ID\":\"b\"}]}",
    ])
    func whatIsNoManifestIsNotRead(json: String) {
        #expect(throws: (any Error).self) { try JSONDecoder().decode(SteeringManifest.self, from: Data(json.utf8)) }
    }

    @Test func whatPlayersCannotUseIsNamed() {
        func problems(_ change: (inout SteeringManifest) -> Void) -> [String] {
            var manifest = SteeringManifest(
                ttl: 30,
                priority: ["b", "."],
                clones: [.init(of: ".", id: "b", host: "b")]
            )
            change(&manifest)
            return manifest.problems(forPathways: ["."])
        }
        #expect(problems { _ in } == [])
        #expect(problems { $0.version = 2 } == ["VERSION is 2, not 1"])
        #expect(problems { $0.ttl = 0 } == ["TTL is 0"])
        #expect(problems { $0.priority = [".", "."] } == ["PATHWAY-PRIORITY names a pathway twice"])
        #expect(
            problems { $0.priority = [] }
                == ["PATHWAY-PRIORITY is empty", "PATHWAY-PRIORITY names no pathway that is there"]
        )
        #expect(problems { $0.priority = ["c"] } == ["PATHWAY-PRIORITY names no pathway that is there"])
        #expect(problems { $0.clones?[0].baseID = "c" } == ["the clone b is of c, which is not there"])
        #expect(problems { $0.clones?[0].id = "." } == ["there is . already, which is a clone"])
        #expect(problems { $0.clones = nil } == [], "a player passes over what it does not know")
    }
}
