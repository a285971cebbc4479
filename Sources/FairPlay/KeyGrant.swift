package import ContentProtection

/// A content key for a device, with the terms of its use.
package struct KeyGrant: Sendable {
    /// The content key, its IV, and the class of its tracks.
    package var key: PeriodKey
    /// True if it protects samples by `cbcs`: then the video decoder's session key can be used, which reads all of a
    /// slice.
    var isCBCS: Bool
    var terms: KeyTerms

    package init(key: PeriodKey, isCBCS: Bool, terms: KeyTerms) {
        self.key = key
        self.isCBCS = isCBCS
        self.terms = terms
    }
}
