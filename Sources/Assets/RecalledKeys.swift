package import ContentProtection
package import MediaCore

/// The keys of slots, as far as their source gives them again.
package struct RecalledKeys: Sendable {
    package var keys: [KeyID: PeriodKey]
    /// The source's reason where it gives no keys of a time; nil if it gives some of all.
    package var refusal: String?

    package init(_ keys: [KeyID: PeriodKey], refusal: String? = nil) {
        (self.keys, self.refusal) = (keys, refusal)
    }
}
