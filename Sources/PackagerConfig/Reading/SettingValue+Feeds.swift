package import MediaCore

extension SettingValue {
    /// Reads the location of a feed; checks its form only.
    static func feed(_ text: String) throws(Invalid) -> FeedLocation {
        let feed = FeedLocation(text)
        guard let scheme = feed.scheme else { return feed }
        // libavformat's options for a protocol (RFC 3986 has none) stand behind a comma or a plus.
        let name = String(scheme.prefix { $0 != "+" })
        guard let feedProtocol = FeedProtocol.named(name) else {
            throw Invalid(
                "the protocol '\(scheme)' is not supported" + Suggestion.text(for: name, among: FeedProtocol.names)
                    + "; a file of that name is written file:NAME"
            )
        }
        guard let authority = feed.authority else { return feed }
        if let port = authority.port {
            guard port.allSatisfy(\.isASCIIDigit), let number = Int(port), 1...65_535 ~= number else {
                throw Invalid("'\(port)' is not a port; allowed are 1 to 65535")
            }
        } else if feedProtocol.needsPort {
            throw Invalid("'\(feed)' has no port; write \(scheme)://HOST:PORT")
        }
        do throws(DatagramAddress.Problem) {
            _ = try DatagramAddress(feed)
        } catch {
            throw Invalid("'\(feed)': \(error.text)")
        }
        if feedProtocol.transport == .rtmp, feed.query["listen"] != "0" {
            let path = feed.resource.prefix { $0 != "?" }.split(separator: "/")
            guard path.count >= 2 else {
                throw Invalid(
                    "'\(feed)' has no stream key, which publishers must name; write rtmp://HOST:PORT/APPLICATION/KEY, or "
                        + "?listen=0 to play it from another server"
                )
            }
        }
        if let passphrase = feed.query["passphrase"], feedProtocol.transport == .srt,
            !(10...79).contains(passphrase.utf8.count)
        {
            throw Invalid("the passphrase of '\(feed)' has \(passphrase.utf8.count) characters; SRT has 10 to 79")
        }
        return feed
    }

    /// Reads an address or a network.
    static func addressRange(_ text: String) throws(Invalid) -> AddressRange {
        guard let range = AddressRange(text) else {
            throw Invalid(
                "'\(text)' is neither an address nor a network; write it like 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32"
            )
        }
        return range
    }
}

extension FeedLocation {
    /// Reads a feed in the same way as a setting.
    ///
    /// - Parameter text: The text of the setting.
    /// - Returns: The feed, which may not exist.
    /// - Throws: A sentence with the problem.
    package static func checked(_ text: String) throws -> FeedLocation { try SettingValue.feed(text) }
}

extension SettingValue.Invalid: CustomStringConvertible {
    var description: String { message }
}
