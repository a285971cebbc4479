import MediaCore

extension SettingValue {
    /// Schemes of URLs that say nothing without a port.
    private static let schemesWithPort: Set = ["udp", "udplite", "rtp", "srtp", "srt", "tcp"]

    /// Reads a feed, of which nothing but its port is wrong before it is opened.
    static func feed(_ text: String) throws(Invalid) -> FeedLocation {
        let feed = FeedLocation(text)
        guard feed.kind == .network, let scheme = feed.scheme, let start = text.firstRange(of: "://")?.upperBound else {
            return feed
        }
        let authority = text[start...].prefix { !"/?".contains($0) }
        // An IPv6 address has colons of its own, and brackets around it.
        let host = authority.lastIndex(of: "]") ?? authority.lastIndex(of: "@") ?? authority.startIndex
        guard let colon = authority[host...].lastIndex(of: ":") else {
            guard schemesWithPort.contains(scheme) else { return feed }
            throw Invalid("'\(feed)' has no port; write it like \(scheme)://HOST:5000")
        }
        let digits = authority[colon...].dropFirst()
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit), let port = Int(digits), 1...65_535 ~= port else {
            throw Invalid("'\(digits)' is not a port; allowed are 1 to 65535")
        }
        return feed
    }
}
