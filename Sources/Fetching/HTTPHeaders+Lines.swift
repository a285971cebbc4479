import MediaCore
package import NIOHTTP1

extension HTTPHeaders {
    /// A line that is not a header field.
    package struct InvalidLine: Error, Hashable, Sendable {
        /// Counted from 1.
        package var number: Int
    }

    /// Reads header fields, such as `Authorization: Bearer …`, each on a line of a file.
    ///
    /// - Parameter text: The text of the file; empty lines are left out.
    /// - Throws: ``InvalidLine``, without its text, which may be secret.
    package init(lines text: String) throws(InvalidLine) {
        self.init()
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].allSatisfy(\.isTokenCharacter), line.utf8.allSatisfy(\.isFieldByte) else {
                throw InvalidLine(number: index + 1)
            }
            add(name: String(parts[0]), value: String(parts[1].trimmingSpaces))
        }
    }
}

extension Character {
    /// RFC 9110 § 5.6.2.
    fileprivate var isTokenCharacter: Bool {
        isASCII && (isLetter || isNumber || "!#$%&'*+-.^_`|~".contains(self))
    }
}

extension UInt8 {
    /// RFC 9110 § 5.5, without what is obsolete.
    fileprivate var isFieldByte: Bool { 0x20...0x7E ~= self || self == 0x09 }
}
