import FoundationEssentials
package import MediaCore

/// The licence that W3C's Clear Key system asks for (Encrypted Media Extensions § 9.1).
package enum ClearKeyLicense {
    /// A licence request: `{"kids":["<base64url>"],"type":"temporary"}`.
    package struct Request: Hashable, Sendable {
        /// The key IDs, each once.
        package var keyIDs: [KeyID]

        /// Reads a request (§ 9.1.3).
        ///
        /// - Throws: ``ClearKeyLicense/RequestError`` for anything that is not one.
        package init(json: some Collection<UInt8>) throws(RequestError) {
            let fields: Fields
            do {
                fields = try JSONDecoder().decode(Fields.self, from: Data(json))
            } catch {
                throw .malformed
            }
            guard fields.type == nil || fields.type == ClearKeyLicense.sessionType else {
                throw .unsupportedSessionType(fields.type ?? "")
            }
            guard fields.kids.count <= ClearKeyLicense.mostKeys else { throw .malformed }
            var keyIDs: [KeyID] = []
            for text in fields.kids {
                guard let bytes = Bytes16(base64URL: text) else { throw .malformedKeyID(text) }
                let keyID = KeyID(bytes)
                if !keyIDs.contains(keyID) { keyIDs.append(keyID) }
            }
            self.keyIDs = keyIDs
        }

        private struct Fields: Decodable {
            var kids: [String]
            var type: String?
        }
    }

    package enum RequestError: Error, Hashable {
        /// The request is no JSON object with an array of strings `kids`, or has more than ``ClearKeyLicense/mostKeys``.
        case malformed
        /// A key ID is not the base64url form, without padding, of sixteen bytes.
        case malformedKeyID(String)
        /// Keys are given for the length of a session only.
        case unsupportedSessionType(String)
    }

    private static let sessionType = "temporary"
    /// The most keys of a request, more than the segments have that a player buffers.
    package static let mostKeys = 64

    /// A licence with these keys (§ 9.1.4): a JSON Web Key Set of octet keys (RFC 7518 § 6.4).
    ///
    /// - Parameters:
    ///   - keys: Any number.
    ///   - leaseSeconds: The seconds after which the client has to ask again, as the member `lease`, which other
    ///     clients ignore (RFC 7517 § 5); nil for as long as playback lasts.
    /// - Returns: JSON.
    package static func response(_ keys: [PeriodKey], leaseSeconds: UInt32? = nil) -> String {
        let list = keys.map { key in
            #"{"kty":"oct","kid":"\#(key.keyID.bytes.base64URL)","k":"\#(key.contentKey.secret.base64URL)"}"#
        }
        let lease = leaseSeconds.map { #","lease":\#($0)"# } ?? ""
        return #"{"keys":[\#(list.joined(separator: ","))],"type":"\#(sessionType)"\#(lease)}"#
    }
}
