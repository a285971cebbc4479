import ContentProtection
import Foundation
import MediaCore

/// The payload of a token as it is written (RFC 7519 § 4).
struct TokenClaims: Decodable {
    var iss: Lenient<String>?
    var aud: Lenient<Names>?
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

    /// A name, or an array of names.
    struct Names: Decodable {
        var names: Set<String>

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            names = try (try? container.decode(String.self)).map { [$0] } ?? container.decode(Set<String>.self)
        }
    }
}

extension PlaybackToken {
    /// Reads the claims of a verified token; nil for malformed times, and for unknown track classes.
    init?(_ token: SignedToken) {
        guard let claims = try? JSONDecoder().decode(TokenClaims.self, from: Data(token.payload)),
            let expires = MediaTime(numericDate: claims.exp)
        else { return nil }
        let notBefore = claims.nbf.map(MediaTime.init(numericDate:))
        if case .some(.none) = notBefore { return nil }
        let classes = claims.classes.map { $0.compactMap(KeyClass.init(rawValue:)) } ?? KeyClass.allCases
        guard classes.count == claims.classes?.count ?? classes.count else { return nil }
        self.init(
            identity: token.signingInput.hashValue,
            issuer: claims.iss?.value,
            audiences: claims.aud?.value?.names ?? [],
            subject: claims.sub,
            channels: claims.channel.names,
            classes: Set(classes),
            expires: expires,
            notBefore: notBefore ?? nil,
            isPersistent: claims.persistent ?? false,
            durations: Durations(
                lease: claims.lease.limit,
                rental: claims.rental.limit,
                storage: claims.storage.limit,
                playback: claims.playback.limit
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
