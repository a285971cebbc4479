import MediaCore
import PackagerConfig
import Testing

@Suite struct KeySourceSettingTests {
    private static func channel(_ flags: [String: String]) throws -> ChannelConfiguration {
        let all = flags.merging(["input": "a.ts", "encryption": "sample-aes"]) { given, _ in given }
        return try #require(try Configuration.load(flags: all.mapValues { [$0] }).channels.first)
    }

    @Test func sourcesAreReadAsTheyAreWritten() throws {
        let sources: [(String, KeySourceLocation, isServer: Bool)] = [
            ("derived", .derived, false), ("file:/k/keys", .file("/k/keys"), false),
            ("cpix:keys:1.xml", .cpix("keys:1.xml"), false), ("cpix:https://h/k.xml", .cpix("https://h/k.xml"), true),
            ("speke:http://h:1/a/", .speke("http://h:1/a/"), true),
        ]
        for (text, location, isServer) in sources {
            let channel = try Self.channel(["key-source": text])
            #expect(channel.keys.source == location)
            #expect(channel.keys.source.isServer == isServer)
            // Where it is a member of a pair may have to itself.
            #expect(channel.identity(of: [.stream])["key-source"] == location.kind)
        }
    }

    @Test func theContentIDIsTheNameUnlessItIsGiven() throws {
        #expect(try Self.channel(["name": "news"]).contentID == "news")
        #expect(try Self.channel(["name": "news", "content-id": "News & more"]).contentID == "News & more")
        let programs = try Configuration.load(
            flags: [
                "input": ["udp://h:1"], "program": ["1", "2"], "content-id": ["x"], "encryption": ["sample-aes"],
                "key-source": ["speke:http://h/"],
            ]
        )
        #expect(programs.channels.map(\.contentID) == ["x-1", "x-2"])
    }

    @Test func allThatIsWrongIsListedAtOnce() {
        let flags = [
            "input": "a.ts", "key-source": "psychic:x", "content-id": "\u{1}", "key-rotation": "-1",
        ]
        let found = problems(flags: flags.mapValues { [$0] })
        for flag in ["--key-source", "--content-id", "--key-rotation"] {
            #expect(found.contains { $0.hasPrefix(flag) }, "\(found)")
        }
        for source in ["speke:", "speke:ftp://h/", "cpix:ftp://h/", "file:", "speke", "speke:http://user:secret@h/"] {
            let found = problems(flags: ["input": ["a.ts"], "encryption": ["sample-aes"], "key-source": [source]])
            #expect(found.count == 1 && found[0].hasPrefix("--key-source"), "\(found)")
            #expect(!found.contains { $0.contains("secret") }, "\(found)")
        }
    }

    @Test func whatDoesNotGoTogetherIsSaid() {
        let cases: [([String: String], String)] = [
            (["key-source": "speke:http://h/", "encryption": "none"], "--key-source: nothing is encrypted"),
            (["key-credentials": "f"], "--key-credentials: there is no key server"),
            (["key-source": "cpix:f", "key-credentials": "f"], "--key-credentials: there is no key server"),
            (
                ["key-source": "speke:http://keys.example.com", "key-authority": "f"],
                "--key-authority: the key server has no certificate to check"
            ),
            (["key-source": "file:f", "key-authority": "f"], "--key-authority: there is no key server"),
            (["key-source": "file:f", "key-recipient": "f"], "--key-recipient: nothing is encrypted for it"),
            (["key-source": "speke:http://h/", "key-signer": "f"], "--key-signer: only CPIX documents are signed"),
        ]
        for (flags, message) in cases {
            let all = flags.merging(["input": "a.ts", "encryption": "sample-aes"]) { given, _ in given }
            let found = problems(flags: all.mapValues { [$0] })
            #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
        }
    }
}
