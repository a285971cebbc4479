import MediaCore
import TestSupport
import Testing

@testable import ContentProtection

/// Headers and URIs of keys for key systems, in the bytes that Shaka Packager 3.4 writes for the same.
@Suite struct KeySystemTests {
    private static let keyID = KeyID(Bytes16(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF))

    private static func header(_ system: KeySystem, _ scheme: FourCC, period: Int64 = 0) -> ProtectionSystemHeader? {
        let key = PeriodKey(
            period: CryptoPeriod(period),
            keyClass: .video,
            keyID: keyID,
            contentKey: ContentKey(Bytes16(high: 1, low: 2)),
            constantIV: Bytes16(high: 3, low: 4)
        )
        return system.header(of: key, scheme: scheme)
    }

    @Test(
        arguments: [
            ("cbcs", 0, "12100123456789abcdef0123456789abcdef48f3c6899b06"),
            ("cenc", 0, "12100123456789abcdef0123456789abcdef48e3dc959b06"),
            // crypto_period_index as a varint: 300 is 0xAC 0x02.
            ("cbcs", 300, "12100123456789abcdef0123456789abcdef38ac0248f3c6899b06"),
        ] as [(FourCC, Int64, String)]
    )
    func widevineReadsKeyPeriodAndScheme(scheme: FourCC, period: Int64, message: String) throws {
        let header = try #require(Self.header(.widevine, scheme, period: period))
        #expect(header.systemID.hex == "edef8ba979d64acea3c827dcd51d21ed")
        #expect(header.keyIDs.isEmpty)
        #expect(header.data.hex == message)
    }

    @Test(arguments: [("cbcs", "AESCBC"), ("cenc", "AESCTR")] as [(FourCC, String)])
    func playReadyReadsAnObjectWithOneHeader(scheme: FourCC, algorithm: String) throws {
        let header = try #require(Self.header(.playready, scheme))
        #expect(header.systemID.hex == "9a04f07998404286ab92e65be0885f95")
        #expect(header.keyIDs.isEmpty)
        // Lengths, one record, its type.
        #expect(Array(header.data.prefix(10)).hex == "be01000001000100b401")
        let text = stride(from: 10, to: header.data.count, by: 2).map { index in
            UInt16(header.data[index]) | UInt16(header.data[index + 1]) << 8
        }
        #expect(
            String(decoding: text, as: UTF16.self) == """
                <WRMHEADER xmlns="http://schemas.microsoft.com/DRM/2007/03/PlayReadyHeader" version="4.3.0.0"><DATA>\
                <PROTECTINFO><KIDS><KID ALGID="\(algorithm)" VALUE="Z0UjAauJ780BI0VniavN7w=="></KID></KIDS>\
                </PROTECTINFO></DATA></WRMHEADER>
                """
        )
    }

    @Test(arguments: [KeySystem.clearkey, .identity])
    func theCommonSystemReadsTheKeyID(system: KeySystem) {
        #expect(Self.header(system, "cbcs") == .common(Self.keyID))
    }

    @Test func fairPlayReadsThePlaylist() {
        #expect(Self.header(.fairplay, "cbcs") == nil)
    }
}
