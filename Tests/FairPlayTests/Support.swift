import ContentProtection
import FairPlay
import FairPlaySupport
import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

extension KeyGrant {
    static let key = Bytes16(high: 0xA7A7_A7A7_A7A7_A7A7, low: 0x7A7A_7A7A_7A7A_7A7A)
    static let iv = Bytes16(high: 1, low: 2)

    /// The one key that there is.
    static func test(_ terms: KeyTerms = KeyTerms(), _ keyClass: KeyClass = .video) -> KeyGrant {
        KeyGrant(
            key: PeriodKey(
                period: CryptoPeriod(1),
                keyClass: keyClass,
                keyID: KeyID(Bytes16(high: 3, low: 4)),
                contentKey: ContentKey(key),
                constantIV: iv
            ),
            isCBCS: true,
            terms: terms
        )
    }
}

extension KeySecurityModule {
    /// One that has all certificates, and the provider that is linked in.
    static func test(_ credentials: [TestCredentials] = TestCredentials.allCases) throws -> KeySecurityModule {
        KeySecurityModule(
            certificates: try credentials.map { try $0.applicationCertificate() },
            provider: try .linked()
        )
    }

    /// Gives the one key to who asks for its asset.
    func answer(_ spc: ByteBuffer, terms: KeyTerms = KeyTerms()) throws(FairPlayError) -> Answer {
        try answer(spc) { $0.assetID == Array("skd://live/1/video".utf8) ? .test(terms) : nil }
    }

    /// The licence that a device reads in the answer to its own SPC.
    func license(for device: TestDevice, terms: KeyTerms = KeyTerms()) throws -> TestLicense {
        try #require(try device.open(try answer(try device.spc(), terms: terms).ckc))
    }
}

extension ByteBuffer {
    /// A copy in which one bit of a byte is another.
    func changed(at index: Int) -> ByteBuffer {
        var copy = self
        copy.setInteger((getInteger(at: index, as: UInt8.self) ?? 0) ^ 1 << (index % 8), at: index)
        return copy
    }
}
