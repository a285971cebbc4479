import ContentProtection
import Fetching
import NIOHTTP1

/// The URL of a key server, and the credentials for it.
package struct KeyServer: Sendable {
    let url: String
    let credentials: HTTPHeaders
    /// The authorities one of which must have signed its certificate; nil for those that the system trusts.
    let authorities: CertificateAuthorities?

    /// - Parameters:
    ///   - url: Absolute, http or https.
    ///   - credentialsFile: Path of a file that only its owner may read, with header fields such as
    ///     `Authorization: Bearer …`, each on a line; nil for none.
    ///   - authorityFile: Path of a file with certificates, in PEM, of those who have to have signed the server's; nil for
    ///     those that the system trusts.
    /// - Throws: `MasterSecretFileError` if the first cannot be read; ``KeySourceError`` where one has something else.
    package init(url: String, credentialsFile: String?, authorityFile: String? = nil) throws {
        self.url = url
        authorities = try authorityFile.map { path in
            do {
                return try CertificateAuthorities(file: path)
            } catch {
                throw KeySourceError("\(path): \(error)")
            }
        }
        guard let credentialsFile else {
            credentials = [:]
            return
        }
        let text = String(
            decoding: try SecretFile.contents(path: credentialsFile, atMost: 65_536),
            as: UTF8.self
        )
        do throws(HTTPHeaders.InvalidLine) {
            credentials = try HTTPHeaders(lines: text)
        } catch {
            throw KeySourceError("\(credentialsFile):\(error.number): it is not a header field, 'Name: value'")
        }
    }

    /// The URL without parts that might be secret.
    var name: String {
        guard let start = url.firstRange(of: "://") else { return "key server" }
        let rest = url[start.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let authority = rest.prefix { $0 != "/" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        return "\(url[..<start.upperBound])\(host)\(rest.dropFirst(authority.count))"
    }
}
