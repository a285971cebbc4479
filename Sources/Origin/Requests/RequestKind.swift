import MediaCore

/// The purpose of a request that its target reveals without a lookup.
package enum RequestKind: Int, CaseIterable, Sendable {
    case multivariantPlaylist, mediaPlaylist, segment, initialization, key, other

    /// The last eight bytes of a component of a path, and how many it has.
    private struct Component: Equatable {
        private(set) var tail: UInt64 = 0
        private(set) var length = 0

        init() {}

        init(_ text: String) {
            for byte in text.utf8 { append(byte) }
        }

        mutating func append(_ byte: UInt8) {
            tail = tail << 8 | UInt64(byte)
            length += 1
        }
    }

    private static let multivariants = (Component("index.m3u8"), Component("index-imsc1.m3u8"))
    private static let playlist = Component("m3u8")
    private static let map = Component("mp4")
    private static let segments = SegmentFormat.allCases.map { Component($0.rawValue) }
    private static let licenses = (Component("clearkey"), Component("fairplay"))
    private static let keySchedule = Component("keys.json")
    private static let keys = Component("keys")
    /// Hexadecimal digits of a key ID.
    private static let keyLength = 32

    /// - Parameter target: The target of the request, with its query.
    init(target: String) {
        // Asked of every request: nothing is copied.
        var (directory, name, suffix) = (Component(), Component(), Component())
        for byte in target.utf8 {
            if byte == UInt8(ascii: "?") { break }
            if byte == UInt8(ascii: "/") {
                (directory, name, suffix) = (name, Component(), Component())
            } else {
                name.append(byte)
                if byte == UInt8(ascii: ".") { suffix = Component() } else { suffix.append(byte) }
            }
        }
        let licenses = Self.licenses
        if name == Self.multivariants.0 || name == Self.multivariants.1 {
            self = .multivariantPlaylist
        } else if suffix == name {
            // It has no dot.
            let isKey = name.length == Self.keyLength && directory == Self.keys
            self = isKey || name == licenses.0 || name == licenses.1 ? .key : .other
        } else if suffix == Self.playlist {
            self = .mediaPlaylist
        } else if suffix == Self.map {
            self = .initialization
        } else if Self.segments.contains(suffix) {
            self = .segment
        } else {
            self = name == Self.keySchedule ? .key : .other
        }
    }
}
