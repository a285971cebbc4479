import ContentProtection
import Foundation
import JWTKit
import MediaCore

/// The payload of a token as it is written (RFC 7519 § 4).
struct TokenClaims: JWTPayload {
    var sub: String?
    var exp: Double
    var nbf: Double?
    var channel: Names
    var classes: [String]?
    var persistent: Bool?
    var lease: UInt32?
    var rental: UInt32?
    var storage: UInt32?
    var playback: UInt32?

    /// One name, or an array of them.
    struct Names: Codable {
        var names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            names = try (try? container.decode(String.self)).map { [$0] } ?? container.decode([String].self)
        }

        func encode(to encoder: any Encoder) throws { try names.encode(to: encoder) }
    }

    /// Times are judged when the token is used, which may be often.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// What they mean; nil for times that are none, and for track classes that there are not.
    var token: PlaybackToken? {
        guard let expires = MediaTime(numericDate: exp) else { return nil }
        let notBefore = nbf.map(MediaTime.init(numericDate:))
        if case .some(.none) = notBefore { return nil }
        let classes = classes.map { $0.compactMap(KeyClass.init(rawValue:)) } ?? KeyClass.allCases
        guard classes.count == self.classes?.count ?? classes.count else { return nil }
        return PlaybackToken(
            subject: sub,
            channels: Set(channel.names),
            classes: Set(classes),
            expires: expires,
            notBefore: notBefore ?? nil,
            isPersistent: persistent ?? false,
            durations: PlaybackToken.Durations(
                lease: lease.limit,
                rental: rental.limit,
                storage: storage.limit,
                playback: playback.limit
            )
        )
    }
}

extension UInt32? {
    /// 0 is no limit.
    fileprivate var limit: UInt32? { self == 0 ? nil : self }
}

extension MediaTime {
    /// Seconds since 1970, perhaps with a fraction (RFC 7519 § 2); nil beyond the year 5000.
    fileprivate init?(numericDate seconds: Double) {
        guard (0...1e11).contains(seconds) else { return nil }
        self.init(milliseconds: Int64(seconds * 1000))
    }
}
