/// The issuer and audience of tokens that are meant for this server, among those that a key of the set has signed (RFC
/// 8725 § 3.8 and 3.9).
package struct TokenExpectation: Hashable, Sendable {
    /// The audience that tokens must name; nil for any.
    package var audience: String?
    /// The issuer that tokens must name; nil for any issuer that has one of the keys.
    package var issuer: String?

    package init(audience: String? = nil, issuer: String? = nil) {
        self.audience = audience
        self.issuer = issuer
    }

    /// Checks a token that was verified.
    ///
    /// - Throws: ``TokenRefusal/otherAudience`` or ``TokenRefusal/otherIssuer``, also for a token that says neither.
    package func check(_ token: PlaybackToken) throws(TokenRefusal) {
        if let audience, !token.audiences.contains(audience) { throw .otherAudience }
        if let issuer, token.issuer != issuer { throw .otherIssuer }
    }
}
