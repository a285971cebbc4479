import ContentProtection
import MediaCore
import Playlists

/// The clients of the control API, by their tokens.
package struct ControlTokens: Hashable, Sendable {
    private let tokens: [ControlToken]

    /// Reads a list: a line each with name, role, SHA-256 of the token in hexadecimal digits and an optional expiry,
    /// `ana operator 5e88…d8 2027-01-01T00:00:00Z`.
    ///
    /// A comment begins with `#`.
    ///
    /// - Throws: ``ControlTokensError`` with all faults.
    package init(list: [UInt8]) throws(ControlTokensError) {
        var tokens: [ControlToken] = []
        var problems: [String] = []
        let lines = String(decoding: list, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let words = line.prefix { $0 != "#" }.split { $0.isWhitespace }.map(String.init)
            if words.isEmpty { continue }
            do throws(ControlTokensError) {
                let token = try Self.token(words)
                if tokens.contains(where: { $0.name == token.name }) {
                    throw ControlTokensError(["there is another token of \(token.name)"])
                }
                tokens.append(token)
            } catch {
                // The words of the line are not shown, because one may be a token in place of its hash.
                problems += error.problems.map { "line \(index + 1): \($0)" }
            }
        }
        if tokens.isEmpty, problems.isEmpty { problems.append("it has no token, so nobody could use the control API") }
        if !problems.isEmpty { throw ControlTokensError(problems) }
        self.tokens = tokens
    }

    private static func token(_ words: [String]) throws(ControlTokensError) -> ControlToken {
        guard (3...4).contains(words.count) else {
            throw ControlTokensError(["it has to be NAME ROLE SHA-256, and optionally the expiry"])
        }
        var problems: [String] = []
        let role = ControlRole(rawValue: words[1])
        if role == nil {
            problems.append("the role must be read-only, operator or administrator")
        }
        let hash = bytes(words[2])
        if hash?.count != 32 {
            problems.append("the hash must be 64 hexadecimal digits: printf %s TOKEN | sha256sum")
        }
        let expiry = words.count == 4 ? MediaTime(iso8601: words[3]) : nil
        if words.count == 4, expiry == nil { problems.append("the expiry must be UTC like 2027-01-01T00:00:00Z") }
        guard let role, let hash, problems.isEmpty else { throw ControlTokensError(problems) }
        return ControlToken(name: words[0], role: role, hash: hash, expiry: expiry)
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    /// Returns the record of a token.
    ///
    /// All records are compared, so that the time does not reveal it.
    func owner(of token: String) -> ControlToken? {
        guard let digest = try? MessageDigest.sha256.digest(Array(token.utf8)) else { return nil }
        return tokens.reduce(nil) { found, token in token.isOf(digest) ? token : found }
    }
}
