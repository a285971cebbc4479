internal import FoundationEssentials
internal import FoundationInternationalization

/// Languages as people read them in a menu.
package enum LanguageName {
    /// A fixed locale, not the machine's, so that the members of a pair use the same names.
    private static let locale = Locale(identifier: "en")

    /// The English name of a language: `German`, `Portuguese (Brazil)`.
    ///
    /// - Parameter tag: BCP 47.
    /// - Returns: Nil if the tag says that the language is not known, or names none that has a name.
    package static func english(_ tag: String) -> String? {
        let primary = tag.prefix { $0 != "-" }.lowercased()
        return primary == undetermined ? nil : locale.localizedString(forIdentifier: tag)
    }

    /// The tag of an unknown language (RFC 5646 § 4.1).
    package static let undetermined = "und"
}
