import ContentProtection
import Fetching
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
        var section: Substring = "default"
        var values: [Substring: String] = [:]
        let text = try text(of: path)
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingSpaces
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = line.dropFirst().dropLast().trimmingSpaces
            } else if section == "default", !line.hasPrefix("#"), !line.hasPrefix(";"),
                let sign = line.firstIndex(of: "=")
            {
                values[line[..<sign].trimmingSpaces] = String(line[line.index(after: sign)...].trimmingSpaces)
            }
        }
        guard let id = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
            throw Problem(
                description: "\(path) has no aws_access_key_id and aws_secret_access_key, each on a line with '='"
            )
        }
        let token = values["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 }
        guard let key = AccessKey(id: id, secret: secret, sessionToken: token) else {
            throw Problem(description: "\(path) has an access key with characters that are not allowed")
        }
        return key
    }

    /// Reads header fields such as `Authorization: Bearer …`, each on a line.
    static func fields(in path: String) throws(Problem) -> HTTPHeaders {
        let text = try text(of: path)
        do throws(HTTPHeaders.InvalidLine) {
            return try HTTPHeaders(lines: text)
        } catch {
            throw Problem(description: "\(path):\(error.number) is not a header field, 'Name: value'")
        }
    }

    private static func text(of path: String) throws(Problem) -> String {
        do throws(MasterSecretFileError) {
            return String(decoding: try SecretFile.contents(path: path, atMost: maximumBytes), as: UTF8.self)
        } catch {
            throw Problem(description: "\(error)")
        }
    }
}
