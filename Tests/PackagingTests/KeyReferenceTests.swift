import ContentProtection
import MediaCore
import Playlists
import Testing

@testable import Packaging

/// The lines of EXT-X-KEY, by key system.
@Suite struct KeyReferenceTests {
    private static let key = PeriodKey(
        period: CryptoPeriod(0),
        keyClass: .video,
        keyID: KeyID(Bytes16(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF)),
        contentKey: ContentKey(Bytes16(high: 1, low: 2)),
        constantIV: Bytes16(high: 3, low: 4)
    )

    private static func keys(
        _ encryption: (any KeySource, [KeySystem]) -> ChannelEncryption,
        _ systems: [KeySystem]
    ) throws -> [EncryptionKey] {
        let secret = try #require(MasterSecret(Array(1...32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil)
        let encryption = encryption(schedule, systems)
        return encryption.references(to: key).compactMap(encryption.playlistKey)
    }

    @Test func eachSystemHasItsFormatAndURI() throws {
        let keys = try Self.keys({ .sampleAES($0, $1) }, KeySystem.allCases)
        #expect(
            keys.map(\.keyFormat) == [
                "com.apple.streamingkeydelivery", "urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed",
                "com.microsoft.playready", "org.w3.clearkey", nil,
            ]
        )
        #expect(keys.map(\.keyFormatVersions) == ["1", "1", "1", "1", nil])
        #expect(keys[0].uri == "skd://0123456789abcdef0123456789abcdef")
        #expect(
            // The whole box, in base64.
            keys[1].uri == "data:text/plain;base64,"
                + "AAAAOHBzc2gAAAAA7e+LqXnWSs6jyCfc1R0h7QAAABgSEAEjRWeJq83vASNFZ4mrze9I88aJmwY="
        )
        // The object alone.
        #expect(keys[2].uri.hasPrefix("data:text/plain;charset=UTF-16;base64,vgEAAAEAAQC0ATwAVwBSAE0A"))
        #expect(keys[3].uri == "data:text/plain;base64,ASNFZ4mrze8BI0VniavN7w==")
        #expect(keys[4].uri == "keys/0123456789abcdef0123456789abcdef")
    }

    /// Systems with licence servers of their own put more than an ID into their URIs.
    @Test func theIDOfAKeyIsReadFromItsURI() throws {
        let keys = try Self.keys({ .sampleAES($0, $1) }, KeySystem.allCases)
        let id = Self.key.keyID
        #expect(keys.map { KeySystem.keyIDs(in: $0.uri) } == [[id], [], [], [id], [id]])
        #expect(KeySystem.keyIDs(in: "https://keys.example.com/live/keys/\(id)?v=1") == [id])
        for uri in [
            "", "skd://other", "keys/0123456789abcdef", "data:text/plain;base64,", "data:text/plain;base64,AAAA",
        ] {
            #expect(KeySystem.keyIDs(in: uri).isEmpty, "\(uri)")
        }
    }

    @Test func whatItsSourceSaysOfAKeyComesFirst() throws {
        var key = Self.key
        let header = ProtectionSystemHeader(systemID: KeySystem.widevine.systemID, data: [1])
        key.signalling = [.fairplay: KeySignalling(uri: "skd://other"), .widevine: KeySignalling(header: header)]
        let secret = try #require(MasterSecret(Array(1...32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil)
        let references = ChannelEncryption.sampleAES(schedule, [.fairplay, .widevine, .playready]).references(to: key)
        #expect(references.map(\.header?.data.count) == [nil, 1, 446])
        // Where only a box is given, its URI is that box.
        #expect(
            references.prefix(2).map(\.uri) == [
                "skd://other", "data:text/plain;base64,AAAAIXBzc2gAAAAA7e+LqXnWSs6jyCfc1R0h7QAAAAEB",
            ]
        )
        #expect(references.allSatisfy { $0.keyID == key.keyID })
    }

    /// The initialization vector of others is in the licence or in `tenc`.
    @Test func identityAloneHasItsVectorInThePlaylist() throws {
        let keys = try Self.keys({ .sampleAES($0, $1) }, KeySystem.allCases)
        #expect(keys.map(\.initializationVector) == [nil, nil, nil, nil, Self.key.constantIV])
        let counted = try Self.keys({ .sampleAESCounterMode($0, $1) }, [.widevine, .identity])
        #expect(counted.map(\.initializationVector) == [nil, nil])
        #expect(counted.map(\.method) == [.sampleAESCounterMode, .sampleAESCounterMode])
    }
}
