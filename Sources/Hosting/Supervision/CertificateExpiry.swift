import MediaCore
import Playlists

/// The time at which a certificate expires, and the warning before it.
struct CertificateExpiry: Hashable {
    /// The time before expiry at which a missing renewal is reported.
    static let notice = MediaTime(seconds: 14 * 86_400)

    let expiry: MediaTime
    private let remaining: MediaTime

    /// - Parameters:
    ///   - expiry: The time of expiry, in UTC from 1970 on.
    ///   - now: The time now, in UTC from 1970 on.
    init(_ expiry: MediaTime, at now: MediaTime) {
        self.expiry = expiry
        remaining = expiry - now
    }

    /// The warning, in one sentence; nil if there is time.
    var warning: String? {
        guard remaining < Self.notice else { return nil }
        let text = expiry.iso8601
        if remaining <= .zero { return "the certificate has expired, at \(text): clients refuse it" }
        let days = remaining.ticks / MediaTime(seconds: 86_400).ticks
        return "the certificate expires at \(text), \(days == 1 ? "in 1 day" : "in \(days) days"): renew it"
    }
}
