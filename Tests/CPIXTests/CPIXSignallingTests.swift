import ContentProtection
import MediaCore
import Testing

@testable import CPIX

/// The signalling of keys for players in a document.
@Suite struct CPIXSignallingTests {
    private static let keyID = KeyID(Bytes16(high: 1, low: 2))
    /// A box of version 1 for Widevine, with a key ID and three bytes.
    private static let box: [UInt8] =
        [0, 0, 0, 55, 0x70, 0x73, 0x73, 0x68, 1, 0, 0, 0] + KeySystem.widevine.systemID.bytes + [0, 0, 0, 1]
        + keyID.bytes.bytes + [0, 0, 0, 3, 7, 8, 9]

    private static func document(
        _ system: KeySystem,
        lines: String? = nil,
        uri: String? = nil,
        pssh: [UInt8]? = nil,
        allowedCPC: String? = nil
    ) throws -> CPIXDocument {
        var entry = CPIXDocument.DRMSystem(keyID: keyID, asking: system, multivariant: "multiVariant")
        entry.signaling = lines.map { [.init(playlist: "media", lines: $0)] } ?? []
        (entry.keyURI, entry.pssh, entry.allowedCPC) = (uri, pssh, allowedCPC)
        let document = CPIXDocument(
            contentID: "live",
            keys: [.init(keyID: keyID, scheme: .cbcs)],
            systems: [entry],
            periods: [],
            usageRules: []
        )
        return try CPIXDocument(parsing: document.xml().utf8)
    }

    private static func line(_ system: KeySystem, _ uri: String) -> String {
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"\(uri)\",KEYFORMAT=\"\(system.keyFormat ?? "")\",KEYFORMATVERSIONS=\"1\""
    }

    @Test func linesAndBoxesOfAServerAreRead() throws {
        let fairPlay = try Self.document(.fairplay, lines: "\n\(Self.line(.fairplay, "skd://of-the-server?x=1"))\n")
        #expect(try fairPlay.signalling(of: Self.keyID) == [.fairplay: KeySignalling(uri: "skd://of-the-server?x=1")])
        let address = try Self.document(.fairplay, uri: "skd://older")
        #expect(try address.signalling(of: Self.keyID) == [.fairplay: KeySignalling(uri: "skd://older")])
        let widevine = try Self.document(.widevine, lines: Self.line(.widevine, "data:,x"), pssh: Self.box)
        let header = ProtectionSystemHeader(
            systemID: KeySystem.widevine.systemID,
            keyIDs: [Self.keyID],
            data: [7, 8, 9]
        )
        #expect(
            try widevine.signalling(of: Self.keyID) == [.widevine: KeySignalling(uri: "data:,x", header: header)]
        )
        #expect(try widevine.signalling(of: KeyID(Bytes16(high: 5, low: 5))) == [:])
    }

    @Test(arguments: [
        ("com.apple.streamingkeydelivery:AppleMain/Main", "com.apple.streamingkeydelivery:AppleMain/Main"),
        ("Main", "com.apple.streamingkeydelivery:Main"), ("", nil),
    ])
    func whatAPlayerHasToProtectIsRead(value: String, allowed: String?) throws {
        let document = try Self.document(.fairplay, uri: "skd://x", allowedCPC: value)
        let signalling = KeySignalling(uri: "skd://x", allowedCPC: allowed)
        #expect(try document.signalling(of: Self.keyID) == [.fairplay: signalling])
        let broken = try Self.document(.fairplay, uri: "skd://x", allowedCPC: "a\"b")
        #expect(throws: CPIXError.self) { try broken.signalling(of: Self.keyID) }
    }

    @Test(arguments: [("NONE", DisplayProtection.none), ("TYPE-0", .type0), ("TYPE-1", .type1), ("", nil)])
    func whatAKeyAsksOfScreensIsRead(level: String, protection: DisplayProtection?) throws {
        var key = CPIXDocument.Key(keyID: Self.keyID, scheme: .cbcs, hdcp: .init(level: level))
        #expect(try key.displayProtection() == protection)
        key.hdcp = .init(level: "TYPE-7")
        #expect(throws: CPIXError.self) { try key.displayProtection() }
        key.hdcp = nil
        #expect(try key.displayProtection() == nil)
    }

    @Test func whatIsEmptyOrOursIsLeftToUs() throws {
        #expect(try Self.document(.playready, lines: "", uri: "", pssh: []).signalling(of: Self.keyID) == [:])
        for system: KeySystem in [.identity, .clearkey] {
            #expect(try Self.document(system, lines: "anything", uri: "else").signalling(of: Self.keyID) == [:])
        }
    }

    @Test(
        arguments: [
            ("#EXT-X-KEY:METHOD=SAMPLE-AES", nil, [], "no EXT-X-KEY with METHOD and URI"),
            (line(.playready, "data:,x"), nil, [], "its KEYFORMAT is not that of widevine"),
            (nil, "a\"b", [], "it is not a URI"),
            (nil, "a\nb", [], "it is not a URI"),
            (nil, nil, Array(box.dropLast()), "it is not one pssh box"),
            (nil, nil, Array(box.prefix(20)), "it is not one pssh box"),
            (nil, nil, box.prefix(12) + KeySystem.playready.systemID.bytes + box.dropFirst(28), "of another system"),
        ] as [(String?, String?, [UInt8], String)]
    )
    func whatCannotBeReadIsSaid(lines: String?, uri: String?, pssh: [UInt8], message: String) throws {
        let document = try Self.document(.widevine, lines: lines, uri: uri, pssh: pssh)
        let error = #expect(throws: CPIXError.self) { try document.signalling(of: Self.keyID) }
        #expect(try #require(error).description.contains(message), "\(String(describing: error))")
    }

    /// Players that find something like a variable would all stop.
    @Test func noVariablesAreToldOf() throws {
        for uri in ["skd://{$token}", "skd://a\u{85}b", "skd://a\"b"] {
            #expect(throws: CPIXError.self) { try Self.document(.fairplay, uri: uri).signalling(of: Self.keyID) }
        }
        let lines = Self.line(.fairplay, "skd://{$token}")
        #expect(throws: CPIXError.self) { try Self.document(.fairplay, lines: lines).signalling(of: Self.keyID) }
        let document = try Self.document(.fairplay, uri: "skd://a", allowedCPC: "{$a}")
        #expect(throws: CPIXError.self) { try document.signalling(of: Self.keyID) }
    }
}
