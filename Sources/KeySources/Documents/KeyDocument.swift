package import ContentProtection

/// Keys in a document.
package protocol KeyDocument: Sendable {
    /// The keys of a crypto period.
    ///
    /// - Returns: A key for each class.
    /// - Throws: An error if it lacks one, or has more than one; its text is for operators.
    func keys(of period: CryptoPeriod, _ classes: [KeyClass]) throws -> [PeriodKey]
}
