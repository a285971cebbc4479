package import ContentProtection
package import MediaCore

/// The keys of slots, as far as their source gives them again.
package struct RecalledKeys: Sendable {
    package var keys: [KeyID: PeriodKey]
    /// The source's reason if it gives no keys for some slots; nil otherwise.
    package var refusal: String?

    package init(_ keys: [KeyID: PeriodKey], refusal: String? = nil) {
        (self.keys, self.refusal) = (keys, refusal)
    }
}
