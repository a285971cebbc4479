/// Where media comes from: a URL that libavformat opens, a file, or `-` for standard input.
package struct Feed: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        case file, network, standardInput
    }

    /// As it was written.
    package var location: String

    package init(_ location: String) {
        self.location = location
    }

    package var kind: Kind {
        if location == "-" || location.hasPrefix("pipe:") { return .standardInput }
        guard let colon = location.firstRange(of: "://") else { return .file }
        let scheme = location[..<colon.lowerBound]
        // RFC 3986 § 3.1: anything else before "://" is a peculiar file name.
        let isScheme =
            scheme.first?.isASCIILetter == true
            && scheme.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".contains($0) }
        return isScheme && scheme.lowercased() != "file" ? .network : .file
    }

    /// Without its query, which may hold a passphrase or a stream key.
    package var description: String {
        guard kind == .network, let mark = location.firstIndex(of: "?") else { return location }
        return location[..<mark] + "?…"
    }
}

extension Character {
    var isASCIILetter: Bool { isASCII && isLetter }
    var isASCIIDigit: Bool { isASCII && isNumber }
}

extension Substring {
    var trimmingWhitespace: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
