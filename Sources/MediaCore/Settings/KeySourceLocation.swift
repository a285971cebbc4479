/// The source of content keys.
package enum KeySourceLocation: Hashable, Sendable {
    /// A master secret.
    case derived
    /// A file that has them line by line, by its path.
    case file(String)
    /// A CPIX document, by its path or URL.
    case cpix(String)
    /// A key server that speaks SPEKE, by its URL.
    case speke(String)

    /// True if it is asked over HTTP.
    package var isServer: Bool {
        switch self {
        case .derived, .file: false
        case .cpix(let place): place.contains("://")
        case .speke: true
        }
    }

    /// True if it has to show a certificate.
    package var isSecureServer: Bool {
        switch self {
        case .derived, .file: false
        case .cpix(let place), .speke(let place): place.lowercased().hasPrefix("https://")
        }
    }

    /// The source as settings write it.
    package var text: String {
        switch self {
        case .derived: kind
        case .file(let place), .cpix(let place), .speke(let place): "\(kind):\(place)"
        }
    }

    /// The name before the colon.
    package var kind: String {
        switch self {
        case .derived: "derived"
        case .file: "file"
        case .cpix: "cpix"
        case .speke: "speke"
        }
    }
}
