import MediaCore
import Playlists

/// Whether a certificate has to be renewed soon.
struct CertificateExpiry: Hashable {
    /// So much before its end whoever renews it has failed to.
    static let notice = MediaTime(seconds: 14 * 86_400)

    let expiry: MediaTime
    private let remaining: MediaTime

    /// - Parameters:
    ///   - expiry: UTC, counted from 1970.
    ///   - now: The same.
    init(_ expiry: MediaTime, at now: MediaTime) {
        self.expiry = expiry
        remaining = expiry - now
    }

    /// One sentence; nil where there is time.
    var warning: String? {
        guard remaining < Self.notice else { return nil }
        let text = expiry.iso8601
        if remaining <= .zero { return "the certificate has expired, at \(text): clients refuse it" }
        let days = remaining.ticks / MediaTime(seconds: 86_400).ticks
        return "the certificate expires at \(text), \(days == 1 ? "in 1 day" : "in \(days) days"): renew it"
    }
}
