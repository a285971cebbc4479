import Foundation

extension String {
    /// The absolute URL that this reference names in a resource found at `base` (RFC 3986 § 5).
    func resolved(against base: String) -> String {
        guard let base = URL(string: base), let url = URL(string: self, relativeTo: base) else { return self }
        return url.absoluteString
    }

    /// Returns the URL with another parameter in its query, unescaped.
    func adding(parameter: String) -> String { "\(self)\(contains("?") ? "&" : "?")\(parameter)" }

    /// The URL without its query.
    var withoutQuery: Substring { prefix { $0 != "?" } }

    /// The parameters in the query of this URL, decoded; the first of those of one name.
    var queryValues: [String: String] {
        let items = URLComponents(string: self)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}
