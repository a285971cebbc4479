import NIOCore

/// Keeps web pages away from the control API.
///
/// A browser on the operator's machine reaches the loopback interface, on behalf of any page that it shows. Three
/// header fields reveal such requests. `Origin`: browsers add it to what a page sends to another origin (Fetch
/// § 3.1). `Host`: a page whose own name was made to resolve to this machine (DNS rebinding) is of the same origin to
/// the browser. But the request names the page's host, never an address. Over TLS no page of another name gets that
/// far. `Sec-Fetch-Site` and `Sec-Fetch-Mode`: pages cannot leave them out. Only a link may lead here. A request
/// without them comes from no browser.
package struct BrowserGuard: Sendable {
    private let names: Set<String>

    /// - Parameter names: Host names under which the control API may be reached, besides `localhost`.
    package init(names: [String]) {
        self.names = Set(names.map { $0.lowercased() } + ["localhost"])
    }

    /// Returns the reason why a request is refused; nil if it is not.
    ///
    /// - Parameters:
    ///   - host: Its `Host` field.
    ///   - origin: Its `Origin` field.
    ///   - site: Its `Sec-Fetch-Site` field.
    ///   - mode: Its `Sec-Fetch-Mode` field.
    ///   - changes: True if the request would change something.
    ///   - isSecure: True if it came over TLS.
    /// - Returns: One sentence.
    package func objection(
        host: String?,
        origin: String?,
        site: String? = nil,
        mode: String? = nil,
        changes: Bool = false,
        isSecure: Bool = false
    ) -> String? {
        if let host, !isSecure, !isOwn(host) {
            return "the control API answers to addresses and to: \(names.sorted().joined(separator: ", "))"
        }
        if let origin {
            let origin = origin.lowercased()
            let isSame = host.map { ["http://\($0)", "https://\($0)"].contains { $0.lowercased() == origin } } ?? false
            if !isSame { return "web pages of other origins may not read" }
        }
        // A browser says where a request comes from even if it leaves out the origin (Fetch Metadata § 2.3).
        if let site, !["same-origin", "none"].contains(site) {
            if changes { return "web pages of other origins may not change anything" }
            // Such a page would read nothing of the answer, but hold an event stream open, or a place of a connection.
            if mode != "navigate" { return "web pages of other origins may not read" }
        }
        return nil
    }

    /// RFC 9110 § 7.2: a host, in brackets where it is an IPv6 address, and perhaps a colon and a port.
    private func isOwn(_ field: String) -> Bool {
        var host = field[...]
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            guard host[colon...].dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return names.contains(host.lowercased()) || (try? SocketAddress(ipAddress: String(host), port: 0)) != nil
    }
}
