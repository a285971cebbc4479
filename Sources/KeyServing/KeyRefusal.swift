/// The reason why a request gets no key, so that a player knows if asking again makes sense.
struct KeyRefusal: Error, Hashable, Sendable {
    /// The status code of HTTP.
    var status: Int
    /// The reason as one word, for programs.
    var code: String
    /// The message for people; it never says which keys there are.
    var message: String
    /// Seconds after which asking again makes sense; nil if it never will.
    var retryAfter: Int?
    /// The number by which Apple's own server knows it.
    var number: Int32?
    /// More for the log, that clients must not read; nil if the message says all.
    var detail: String?

    init(_ status: Int, _ code: String, _ message: String, retryAfter: Int? = nil, number: Int32? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        self.number = number
    }

    /// The body that clients read.
    struct Document: Encodable {
        var error: String
        var message: String
        var fatal: Bool
        var number: Int32?

        init(_ refusal: KeyRefusal) {
            error = refusal.code
            message = refusal.message
            fatal = refusal.retryAfter == nil
            number = refusal.number
        }
    }
}

extension KeyRefusal {
    static let unknownKey = Self(404, "key-unknown", "there is no such key, or not any more")
    static let malformedLicenseRequest = Self(400, "request-malformed", "not a ClearKey licence request")
    static let oversized = Self(413, "request-too-long", "the body is longer than any licence request")
    static let persistentNotAllowed = Self(
        403,
        "persistent-not-allowed",
        "keys may be stored only with a token that says persistent"
    )
    static let sessionTypeUnsupported = Self(
        400,
        "session-type-unsupported",
        "Clear Key licences are for one session (temporary): their keys cannot be stored, whatever the token says"
    )
    static let passExpired = Self(401, "pass-expired", "the pass has expired: ask for the playlist with a token again")
    static let passInvalid = Self(401, "pass-invalid", "this is not a pass, or it is for another channel")
    static let failed = Self(500, "failed", "keys are not available at the moment", retryAfter: 2)

    /// RFC 8470 § 5.2 calls it 425; players that do not know it take it for any other error of theirs, and stop.
    static func early(seconds: Int) -> Self {
        Self(425, "key-early", "the key is not given out before its time", retryAfter: seconds)
    }

    static func tooMany(retryAfter seconds: Int) -> Self {
        Self(429, "too-many-requests", "there were too many requests", retryAfter: seconds)
    }

    init(_ refusal: TokenRefusal) {
        self =
            switch refusal {
            case .missing: Self(401, "token-missing", "a token is needed: Authorization: Bearer, or a query parameter")
            case .invalid: Self(401, "token-invalid", "this is not a token, or no trusted key has signed it")
            case .otherAlgorithm:
                Self(401, "token-algorithm", "the token is not signed with HS256, RS256 or ES256")
            case .ambiguousKey:
                Self(401, "token-key-ambiguous", "the token does not name its key (kid), and several keys fit")
            case .otherAudience: Self(401, "token-audience", "the token is not meant for this server (aud)")
            case .otherIssuer: Self(401, "token-issuer", "the token is not from the trusted issuer (iss)")
            case .unknownKey: Self(401, "token-key-unknown", "the key that signed the token is unknown")
            case .keysPending:
                Self(503, "token-key-pending", "the key that signed the token is not known yet", retryAfter: 1)
            case .expired: Self(401, "token-expired", "the token has expired")
            case .early(let seconds): Self(401, "token-early", "the token is not valid yet", retryAfter: seconds)
            case .otherChannel: Self(403, "other-channel", "the token is for another channel")
            case .otherClass: Self(403, "other-class", "the token is not for keys of these tracks")
            }
    }
}
