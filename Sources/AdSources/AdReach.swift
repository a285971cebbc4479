import Foundation
import MediaCore

/// The servers that documents about advertisements may name: public ones, and the one in the configuration.
package struct AdReach: Sendable {
    /// Scheme, host and port of the server in the configuration.
    private let trusted: String?
    private let allowsPrivate: Bool

    /// - Parameters:
    ///   - url: The server in the configuration; its path may have placeholders.
    ///   - allowsPrivate: True if any server may be in a private network.
    package init(trusting url: String? = nil, allowsPrivate: Bool = false) {
        trusted = url.flatMap(Self.origin)
        self.allowsPrivate = allowsPrivate
    }

    /// Returns true if a server may have an address that is not public.
    func mayBePrivate(_ url: String) -> Bool { allowsPrivate || trusted != nil && Self.origin(of: url) == trusted }

    /// Returns true if nothing in a URL itself forbids following it; the address of a host name is checked later.
    func allows(_ url: String) -> Bool {
        guard !mayBePrivate(url) else { return true }
        return Self.components(of: url)?.host.map(AddressRange.mayBePublic(host:)) ?? false
    }

    private static func origin(of url: String) -> String? {
        guard let parts = components(of: url), let scheme = parts.scheme?.lowercased(), let host = parts.host else {
            return nil
        }
        return "\(scheme)://\(host.lowercased()):\(parts.port ?? (scheme == "https" ? 443 : 80))"
    }

    /// The parts of a URL before its path, as the client that connects reads them.
    private static func components(of url: String) -> URLComponents? {
        guard let start = url.range(of: "://")?.upperBound else { return nil }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        return authority.contains("{") ? nil : URLComponents(string: "\(url[..<start])\(authority)")
    }
}
