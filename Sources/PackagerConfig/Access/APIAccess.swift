import MediaCore

/// The values of a setting of a channel that the control API accepts.
///
/// A declaration that does not name one is ``closed``, so that a new setting is closed by default.
enum APIAccess: Sendable {
    /// No access: the setting belongs to the configuration file.
    case closed
    /// Full access: no value names anything outside the channel.
    case open
    /// Access to the values whose ``OutsideUse`` is allowed.
    case named(@Sendable (String) -> OutsideUse)

    /// A file or a directory.
    static let path = APIAccess.named { .path($0) }
    /// A server that this process connects to.
    static let server = APIAccess.named { .server($0) }
    static let fileOrServer = APIAccess.named { $0.contains("://") ? .server($0) : .path($0) }
    static let feed = APIAccess.named(OutsideUse.init(ofFeed:))
    static let keySource = APIAccess.named(OutsideUse.init(ofKeySource:))
    static let adSource = APIAccess.named(OutsideUse.init(ofAdSource:))
}

/// The part of the machine or of the network that a value of a setting makes this process use.
enum OutsideUse: Hashable, Sendable {
    /// No use of the outside, or a network feed, which every channel may have.
    case none
    case path(String)
    /// A server of HTTP, by its URL.
    case server(String)
    /// A program and its arguments.
    case program([String])
    /// A use that cannot be allowed.
    case unknown

    init(ofFeed text: String) {
        let feed = FeedLocation(text)
        guard let scheme = feed.scheme else {
            self = text == "-" ? .unknown : .path(text)
            return
        }
        let isURL = text.dropFirst(scheme.count).hasPrefix("://") && !text.contains { $0.isWhitespace || $0.isControl }
        if feed.feedProtocol?.medium == .file, let path = feed.path {
            self = .path(path)
        } else {
            self = isURL && feed.feedProtocol?.isOpenToAPI == true ? .none : .unknown
        }
    }

    init(ofKeySource text: String) {
        switch try? SettingValue.keySource(text) {
        case .derived: self = .none
        case .file(let path): self = .path(path)
        case .cpix(let place): self = place.contains("://") ? .server(place) : .path(place)
        case .speke(let url): self = .server(url)
        case nil: self = .unknown
        }
    }

    init(ofAdSource text: String) {
        switch try? SettingValue.adSource(text) {
        case .files(let path): self = .path(path)
        case .command(let words): self = .program(words)
        case .server(let address): self = .server(address.text)
        case nil: self = .unknown
        }
    }
}

extension Character {
    /// A control character has no place in a path or a URL, and may end either early.
    var isControl: Bool { unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value } }
}
