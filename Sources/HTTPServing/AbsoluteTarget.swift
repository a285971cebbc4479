/// The target of a request that names the whole URL, as clients send it to proxies: `http://host:80/path?query`.
package struct AbsoluteTarget: Hashable, Sendable {
    /// Host and perhaps port.
    var authority: String
    /// The path with the query; begins with a slash.
    package var path: String

    /// Reads a target in absolute form (RFC 9112 § 3.2.2).
    ///
    /// - Returns: Nil if its scheme is neither `http` nor `https`, it has no host, or it names a user (RFC 9110 § 4.2.4).
    package init?(_ target: String) {
        guard let colon = target.firstIndex(of: ":"), ["http", "https"].contains(target[..<colon].lowercased()) else {
            return nil
        }
        let rest = target[target.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.isEmpty, authority.first != ":", !authority.contains("@") else { return nil }
        self.authority = String(authority)
        let path = rest[authority.endIndex...]
        self.path = path.first == "/" ? String(path) : "/\(path)"
    }
}
