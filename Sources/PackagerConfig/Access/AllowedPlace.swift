import Glibc

/// An entry of `api-allow`: a place that channels may name which come by the control API.
enum AllowedPlace: Hashable, Sendable {
    /// A file, or a directory with all that is in it.
    case path(PlainPath)
    /// A path of a server, and all that is below it.
    case server(PlainURL)
    /// A program, or all of a directory, with just these arguments.
    case program(PlainPath, arguments: [String])

    static let programPrefix = "command:"

    /// Reads an entry; fails if it is neither a program, nor a URL, nor an absolute path.
    init?(_ text: String) {
        if text.hasPrefix(Self.programPrefix) {
            let words = text.dropFirst(Self.programPrefix.count).split(separator: " ").map(String.init)
            guard let path = words.first.flatMap(PlainPath.init) else { return nil }
            self = .program(path, arguments: Array(words.dropFirst()))
        } else if let path = PlainPath(text) {
            self = .path(path)
        } else if let url = PlainURL(text), !text.contains(where: { "?#{}".contains($0) }) {
            self = .server(url)
        } else {
            return nil
        }
    }

    /// Returns true if a use is certainly within this place.
    ///
    /// - Parameters:
    ///   - use: The use of a place that a value causes.
    ///   - resolve: Follows the symbolic links of a path; nil if they cannot be followed.
    /// - Returns: True if it certainly is.
    func includes(_ use: OutsideUse, resolving resolve: (PlainPath) -> PlainPath?) -> Bool {
        switch (self, use) {
        case (.path(let place), .path(let text)): isIn(place, text, resolve)
        case (.program(let place, let arguments), .program(let words)):
            arguments == Array(words.dropFirst()) && isIn(place, words.first ?? "", resolve)
        case (.server(let place), .server(let text)): PlainURL(text)?.isIn(place) ?? false
        default: false
        }
    }

    private func isIn(_ place: PlainPath, _ text: String, _ resolve: (PlainPath) -> PlainPath?) -> Bool {
        guard let path = PlainPath(text).flatMap(resolve), let place = resolve(place) else { return false }
        return path.isIn(place)
    }
}

extension AllowedPlace: CustomStringConvertible {
    var description: String {
        switch self {
        case .path(let path): path.description
        case .server(let url): url.description
        case .program(let path, let arguments):
            Self.programPrefix + ([path.description] + arguments).joined(separator: " ")
        }
    }
}

/// An absolute path without `..`, so that its prefixes are its directories.
struct PlainPath: Hashable, Sendable, CustomStringConvertible {
    private var components: [Substring]

    /// Reads a path; fails if it is relative, contains `..` or contains control characters.
    init?(_ text: String) {
        guard text.hasPrefix("/"), !text.contains(where: \.isControl) else { return nil }
        components = text.split(separator: "/").filter { $0 != "." }
        if components.contains("..") { return nil }
    }

    private init(components: [Substring]) { self.components = components }

    var description: String { "/" + components.joined(separator: "/") }

    func isIn(_ other: PlainPath) -> Bool { components.starts(with: other.components) }

    /// The same path with symbolic links resolved in its existing part; nil if that cannot be determined.
    static func resolved(_ path: PlainPath) -> PlainPath? {
        for count in stride(from: path.components.count, through: 0, by: -1) {
            let parent = PlainPath(components: Array(path.components.prefix(count)))
            if let real = realpath(parent.description, nil) {
                defer { free(real) }
                guard let place = PlainPath(String(cString: real)) else { return nil }
                return PlainPath(components: place.components + path.components.dropFirst(count))
            }
            var status = stat()
            // A link that leads nowhere yet may lead anywhere later.
            guard errno == ENOENT, lstat(parent.description, &status) != 0 else { return nil }
        }
        return nil
    }
}

/// A URL of HTTP, or of a bucket, in which host, port and path are plain to see: without a user, without `..`, in
/// ASCII.
struct PlainURL: Hashable, Sendable, CustomStringConvertible {
    private var scheme: String
    private var host: String
    private var port: Int
    private var path: [Substring]

    /// Reads a URL; fails if it is not plain.
    init?(_ text: String) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard ["http", "https", "s3"].contains(scheme), text.dropFirst(scheme.count).hasPrefix("://") else {
            return nil
        }
        let isPlain = text.allSatisfy { $0.isASCII && !$0.isWhitespace && !$0.isControl && $0 != "\\" }
        let rest = text.dropFirst(scheme.count + 3)
        let authority = rest.prefix { !"/?#".contains($0) }
        // Letters, digits, dots and hyphens, or an address of IPv6 in brackets; a port.
        guard isPlain, let match = authority.wholeMatch(of: /([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?/),
            let port = match.2.map({ Int($0) }) ?? (scheme == "https" ? 443 : 80)
        else { return nil }
        let path = rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        self.path = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
        while self.path.last == "" { self.path.removeLast() }
        // A dot or a slash that is written as %2E or %2F is one to some servers.
        let decoded = path.lowercased().replacing("%2e", with: ".").replacing("%2f", with: "/").replacing(
            "%5c",
            with: "/"
        )
        if decoded.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { return nil }
        (self.scheme, self.host, self.port) = (scheme, match.1.lowercased(), port)
    }

    var description: String {
        let isUsual = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host)\(isUsual ? "" : ":\(port)")/\(path.joined(separator: "/"))"
    }

    func isIn(_ other: PlainURL) -> Bool {
        (scheme, host, port) == (other.scheme, other.host, other.port) && path.starts(with: other.path)
    }
}
