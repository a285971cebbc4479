import Foundation
import MediaCore

/// A JSON Web Token in compact form (RFC 7515 § 7.1) that is not verified yet.
struct SignedToken {
    let header: Header
    /// The header and the payload as they were sent, which the signature is of.
    let signingInput: [UInt8]
    let signature: [UInt8]
    /// JSON, to be read once the signature is known to be good.
    let payload: [UInt8]

    /// The part of a header that decides how the token is verified.
    struct Header: Decodable {
        var alg: String
        var kid: String?

        private enum CodingKeys: String, CodingKey {
            case alg, kid, crit
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            alg = try fields.decode(String.self, forKey: .alg)
            kid = try fields.decodeIfPresent(String.self, forKey: .kid)
            // RFC 7515 § 4.1.11: it names extensions that have to be understood, and none is.
            guard !fields.contains(.crit) else {
                throw DecodingError.dataCorruptedError(forKey: .crit, in: fields, debugDescription: "unknown extension")
            }
        }
    }

    /// The most bytes of a token; longer ones are not read.
    private static let longest = 8192

    /// Takes a token apart; nil for anything else, and for one that has a second spelling (RFC 4648 § 3.5).
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let headerJSON = [UInt8](base64URL: parts[0]),
            let header = try? JSONDecoder().decode(Header.self, from: Data(headerJSON)),
            let payload = [UInt8](base64URL: parts[1]), let signature = [UInt8](base64URL: parts[2])
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        signingInput = Array(bytes[..<parts[1].endIndex])
    }
}
