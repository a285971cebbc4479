/// The location of media: a URL that libavformat opens, a file, or `-` for standard input.
package struct FeedLocation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A finite file, which is read again from its start if it is looped.
        case file
        /// Standard input or another open descriptor: finite, and read once.
        case pipe
        /// A feed without an end: it is opened again when it breaks off.
        case network
    }

    /// The text of the location.
    package var location: String

    /// Creates a location from any text; only an attempt to open it shows if it is valid.
    package init(_ location: String) {
        self.location = location
    }

    /// True if it is read as bytes, and not as the packets of a session (RTP).
    package var isByteStream: Bool {
        !(feedProtocol?.isSession ?? false) && !location.hasSuffix(".sdp")
    }

    /// The protocol by which it comes; nil for a plain file, and where none is known.
    package var feedProtocol: FeedProtocol? { scheme.flatMap(FeedProtocol.named) }

    /// True if its encoder connects to packager, instead of being pulled.
    package var isCalled: Bool {
        switch feedProtocol?.callers {
        case nil, .never: false
        case .inListenerMode: query["mode"] == "listener"
        case .byDefault: query["listen"] != "0"
        case .whereAsked: query["listen"].map { $0 != "0" } ?? (query["mode"] == "listener")
        }
    }

    /// True if its encoder sends it to packager, which asks for nothing.
    package var isReceived: Bool { kind == .network && (feedProtocol?.transport == .datagrams || isCalled) }

    package var kind: Kind {
        if location == "-" { return .pipe }
        let medium: FeedProtocol.Medium = scheme == nil ? .file : feedProtocol?.medium ?? .network
        return switch medium {
        // A session description is a file, but the session is not.
        case .file: location.hasSuffix(".sdp") ? .network : .file
        case .files: .file
        case .pipe: .pipe
        case .network: .network
        case .inner: FeedLocation(rest).kind
        }
    }

    package var isFinite: Bool { kind != .network }

    package var isStandardInput: Bool { ["-", "pipe:", "pipe:0"].contains(location) }

    /// The path of the file; nil if the feed is not exactly one file.
    package var path: String? {
        switch scheme {
        case nil: location == "-" ? nil : location
        case "file": rest
        default: nil
        }
    }

    /// The text before the first colon, in lower case, if it may be a scheme (RFC 3986 § 3.1) and is not a drive.
    package var scheme: String? {
        // Its options come between the scheme and the colon.
        if location.hasPrefix("subfile,") { return "subfile" }
        guard let colon = location.firstIndex(of: ":"), let first = location.first, first.isASCII, first.isLetter else {
            return nil
        }
        let scheme = location[..<colon]
        let isScheme = scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme && scheme.utf8.count > 1 ? scheme.lowercased() : nil
    }

    /// The fields of a URL's query; one without a value has an empty one.
    package var query: [String: String] {
        guard kind == .network, let mark = location.firstIndex(of: "?") else { return [:] }
        let fields = location[location.index(after: mark)...].split(separator: "&").map { field in
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(pair[0]), pair.count == 2 ? String(pair[1]) : "")
        }
        return Dictionary(fields) { first, _ in first }
    }

    /// Host and port of a URL; nil if it has no authority (RFC 3986 § 3.2).
    ///
    /// The host is empty if there is none, and without the brackets of an IPv6 address; the port is what stands behind
    /// the colon, nil if there is no colon.
    package var authority: (host: String, port: String?)? {
        guard let start = location.firstRange(of: "://")?.upperBound else { return nil }
        var text = location[start...].prefix { !"/?#".contains($0) }
        if let at = text.lastIndex(of: "@") { text = text[text.index(after: at)...] }
        var port: String?
        let bracket = text.lastIndex(of: "]") ?? text.startIndex
        if let colon = text[bracket...].lastIndex(of: ":") {
            port = String(text[text.index(after: colon)...])
            text = text[..<colon]
        }
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        return (String(text), port)
    }

    /// The number of the port, which a protocol may have of its own; nil if there is none, or no such number.
    package var port: Int? {
        guard let text = authority?.port else { return authority == nil ? nil : feedProtocol?.defaultPort }
        return Int(text).flatMap { (1...65_535).contains($0) ? $0 : nil }
    }

    /// The text behind the authority of a URL, its query included; empty if there is nothing.
    package var resource: String {
        guard let start = location.firstRange(of: "://")?.upperBound else { return "" }
        return String(location[start...].drop { !"/?#".contains($0) })
    }

    /// The text behind the first colon: a path, or what a protocol that only passes it on reads.
    private var rest: String { String(location.drop { $0 != ":" }.dropFirst()) }
}

extension FeedLocation {
    /// The parts that must not appear in messages: the user, the password, the stream key, and values of the query.
    package var secrets: [String] {
        guard kind == .network else { return [] }
        // Shorter ones would be found in words that have nothing to do with them, and are no secret: `1`, `live`.
        let secrets = SecretMask.secrets(of: location)
        let ofUsers = secrets.filter { $0.contains(":") }.flatMap { $0.split(separator: ":").map(String.init) }
        return (secrets + ofUsers).filter { $0.utf8.count > 4 }
            .sorted { $0.count > $1.count }
    }
}

extension FeedLocation: CustomStringConvertible {
    /// The text for messages: without its secrets.
    package var description: String { SecretMask.masked(location) }
}
