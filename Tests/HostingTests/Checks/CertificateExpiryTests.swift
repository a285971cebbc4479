import MediaCore
import Testing

@testable import Hosting

/// Certificates that end soon.
@Suite struct CertificateExpiryTests {
    private static let day: Int64 = 86_400
    private static let expiry = MediaTime(seconds: 20_000 * day)

    private static func warning(before seconds: Int64) -> String? {
        CertificateExpiry(expiry, at: expiry - MediaTime(seconds: seconds)).warning
    }

    @Test func nothingIsSaidInTime() {
        #expect(Self.warning(before: 14 * Self.day) == nil)
    }

    @Test func daysThatAreLeftAreCounted() {
        #expect(Self.warning(before: 14 * Self.day - 1)?.hasSuffix(", in 13 days: renew it") == true)
        #expect(Self.warning(before: 2 * Self.day - 1)?.hasSuffix(", in 1 day: renew it") == true)
        #expect(Self.warning(before: 1)?.hasSuffix(", in 0 days: renew it") == true)
    }

    @Test func oneThatHasExpiredIsRefusedByClients() {
        #expect(Self.warning(before: 0)?.hasSuffix(": clients refuse it") == true)
        #expect(Self.warning(before: -Self.day)?.hasPrefix("the certificate has expired, at ") == true)
    }
}
