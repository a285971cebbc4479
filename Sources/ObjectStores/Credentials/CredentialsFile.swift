import ContentProtection
import MediaCore
import NIOHTTP1

/// A file of credentials that only its owner may read.
enum CredentialsFile {
    /// The reason why the file has none, in one phrase that shows no secret.
    struct Problem: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    private static let maximumBytes = 65_536

    /// Reads an access key in the format of AWS: below `[default]`, or before any section.
    static func accessKey(in path: String) throws(Problem) -> AccessKey {
        var section = "default"
        var values: [String: String] = [:]
        for line in try lines(of: path) {
            let line = line.trimmingSpaces
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = line.dropFirst().dropLast().trimmingSpaces
            } else if section == "default", !line.hasPrefix("#"), !line.hasPrefix(";"),
                let sign = line.firstIndex(of: "=")
            {
                values[line[..<sign].trimmingSpaces] = line[line.index(after: sign)...].trimmingSpaces
            }
        }
        guard let id = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
            throw Problem(
                description: "\(path) has no aws_access_key_id and aws_secret_access_key, each on a line with '='"
            )
        }
        guard let key = AccessKey(id: id, secret: secret, sessionToken: values["aws_session_token"]) else {
            throw Problem(description: "\(path) has an access key with characters that are not allowed")
        }
        return key
    }

    /// Reads header fields such as `Authorization: Bearer …`, each on a line.
    static func fields(in path: String) throws(Problem) -> HTTPHeaders {
        var fields = HTTPHeaders()
        for (index, line) in try lines(of: path).enumerated() where !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].allSatisfy(isTokenCharacter),
                line.utf8.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x09 })
            else {
                throw Problem(description: "\(path):\(index + 1) is not a header field, 'Name: value'")
            }
            fields.add(name: String(parts[0]), value: parts[1].trimmingSpaces)
        }
        return fields
    }

    private static func lines(of path: String) throws(Problem) -> [Substring] {
        do throws(MasterSecretFileError) {
            let bytes = try SecretFile.contents(path: path, atMost: maximumBytes)
            return String(decoding: bytes, as: UTF8.self)
                .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        } catch {
            throw Problem(description: "\(error)")
        }
    }

    /// RFC 9110 § 5.6.2.
    private static func isTokenCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    fileprivate var trimmingSpaces: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
