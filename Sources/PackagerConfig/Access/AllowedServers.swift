/// The servers that channels may name which come by the control API (`api-allow`).
package struct AllowedServers: Hashable, Sendable {
    private let places: [PlainURL]

    init(_ allowed: [AllowedPlace]) {
        places = allowed.compactMap { place in
            guard case .server(let url) = place else { return nil }
            return url
        }
    }

    /// Returns true if a URL is certainly at one of them.
    package func includes(_ url: String) -> Bool {
        guard let url = PlainURL(url) else { return false }
        return places.contains { url.isIn($0) }
    }
}
