import HTTPServing
import NIOHTTP1

/// The viewer that sends a request.
extension Request {
    /// The token in `Authorization` (RFC 6750 § 2.1).
    var bearerToken: String? {
        guard let field = self["Authorization"], field.prefix(7).lowercased() == "bearer " else { return nil }
        return field.dropFirst(7).trimmingPrefix { $0 == " " }.nonEmpty
    }

    /// The value of a query parameter, without decoding: valid values have no characters that need encoding.
    func queryValue(_ name: String) -> String? {
        guard let start = target.firstIndex(of: "?") else { return nil }
        let parameters = target[target.index(after: start)...].prefix { $0 != "#" }.split(separator: "&")
        return parameters.lazy.map { $0.split(separator: "=", maxSplits: 1) }
            .first { $0.count == 2 && $0[0] == name }?[1].nonEmpty
    }

    /// A hash that distinguishes viewers, by the session that a player names, or else by address and user agent.
    ///
    /// - Parameter channel: The channel of the requested media.
    /// - Returns: The hash, and the data that the player sends about itself.
    func viewer(of channel: String) -> (hash: Int, report: CMCD?) {
        var userAgent = ""
        var reports: [String] = []
        // Asked of every request: its fields are looked through once.
        for (name, value) in fields {
            if name.hasPrefixIgnoringCase(CMCD.fieldPrefix) {
                reports.append(value)
            } else if name.utf8.count == Self.userAgent.utf8.count, name.hasPrefixIgnoringCase(Self.userAgent) {
                userAgent = value
            }
        }
        let report = CMCD(target: target, fields: reports)
        let hash = userAgent.withUTF8 { bytes in
            Self.viewer(of: channel, report, client: client, userAgent: UnsafeRawBufferPointer(bytes))
        }
        return (hash, report)
    }

    /// Returns the same for the bytes of a request.
    static func viewer(
        of channel: String,
        _ report: CMCD?,
        client: Int,
        userAgent: UnsafeRawBufferPointer
    ) -> Int {
        var hasher = Hasher()
        hasher.combine(channel)
        if let session = report?.session {
            hasher.combine(session)
        } else {
            hasher.combine(client)
            hasher.combine(bytes: userAgent)
        }
        return hasher.finalize()
    }

    private static let userAgent = "user-agent"
}

extension String {
    /// Returns true if it begins with this ASCII prefix, given in small letters.
    fileprivate func hasPrefixIgnoringCase(_ prefix: String) -> Bool {
        var bytes = utf8.makeIterator()
        for expected in prefix.utf8 {
            guard let byte = bytes.next(), byte == expected || byte | 0x20 == expected else { return false }
        }
        return true
    }
}

extension Substring {
    fileprivate var nonEmpty: String? { isEmpty ? nil : String(self) }
}
