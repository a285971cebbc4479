import MediaCore
import Presentation

/// The delivery directives of a request for a media playlist (RFC 8216bis § 6.2.5).
struct ReloadDirectives: Hashable, Sendable {
    /// The segment or part that the playlist must have (§ 6.2.5.2); nil for the present playlist.
    var position: PlaylistPosition?
    /// The requested delta update (§ 6.2.5.1); nil for the whole playlist.
    var skip: SkipDirective?

    /// Directives that mean nothing.
    struct Malformed: Error, Hashable {
        /// True if the request may have been meant to wait.
        var isBlocking: Bool
    }

    private enum Name: String {
        case number = "_HLS_msn"
        case part = "_HLS_part"
        case skip = "_HLS_skip"
    }

    /// Returns false if a target, or a part of it, certainly has no directives.
    static func mayBe(in target: String) -> Bool { target.contains("_HLS_") }

    /// Reads the directives of a request; other parameters of its query are ignored.
    ///
    /// - Parameter target: The target of the request.
    /// - Throws: ``Malformed`` if one comes twice, has an invalid value, or needs another one.
    init(target: String) throws(Malformed) {
        var values: [Name: Substring] = [:]
        var isRepeated = false
        for (name, value) in Self.directives(of: target) {
            if values.updateValue(value, forKey: name) != nil { isRepeated = true }
        }
        let malformed = Malformed(isBlocking: values[.number] != nil || values[.part] != nil)
        if isRepeated { throw malformed }
        if let text = values[.number] {
            guard let number = Self.number(text) else { throw malformed }
            position = PlaylistPosition(MediaSequenceNumber(number))
        }
        if let text = values[.part] {
            guard position != nil, let part = Self.number(text) else { throw malformed }
            position?.part = Int(part)
        }
        switch values[.skip] {
        case nil: skip = nil
        case "YES"?: skip = .yes
        case "v2"?: skip = .v2
        default: throw malformed
        }
    }

    private static func directives(of target: String) -> [(name: Name, value: Substring)] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        let query = target[target.index(after: mark)...].prefix { $0 != "#" }
        return query.split(separator: "&").compactMap { parameter in
            let name = parameter.prefix { $0 != "=" }
            return Name(rawValue: String(name)).map { ($0, parameter.dropFirst(name.count + 1)) }
        }
    }

    /// A decimal integer (§ 4.2) within the limits of playlists; nil if the text is not one.
    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }
}
