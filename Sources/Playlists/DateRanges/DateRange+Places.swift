/// Assets that a range names by URIs which are relative to the playlist that lists it.
extension DateRange {
    /// True if a URI of an interstitial (RFC 8216bis Appendix D), or of a hint to load one (Appendix F), is relative.
    package var hasRelativeAsset: Bool { custom.contains { relativeAsset($0) != nil } }

    /// Links to assets in the channel's directory, for a playlist that has moved away from it.
    ///
    /// - Parameter path: The relative path back.
    package mutating func moveDown(by path: String) {
        for index in custom.indices {
            if let uri = relativeAsset(custom[index]) { custom[index].value = .string(path + uri) }
        }
    }

    /// Returns the value of an attribute if it is the relative URI of an asset.
    private func relativeAsset(_ attribute: CustomAttribute) -> String? {
        let isAsset =
            switch attribute.name {
            // A later tag may add them without the class of the first.
            case "X-ASSET-URI", "X-ASSET-LIST": true
            case "X-URI": className == Self.preloadClass
            default: false
            }
        guard isAsset, case .string(let uri) = attribute.value, uri.isRelativeURI else { return nil }
        return uri
    }
}

extension [DateRange] {
    /// Links to assets as ``DateRange/moveDown(by:)`` does.
    package mutating func moveDown(by path: String) {
        for index in indices { self[index].moveDown(by: path) }
    }
}

extension DateRangeLines {
    /// Links to assets as ``DateRange/moveDown(by:)`` does.
    package mutating func moveDown(by path: String) {
        // Lines are rendered again only if they change.
        if above.contains(where: \.hasRelativeAsset) { above.moveDown(by: path) }
        if below.contains(where: \.hasRelativeAsset) { below.moveDown(by: path) }
    }
}
