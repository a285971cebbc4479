package import ContentProtection
package import MediaCore
import XML

extension CPIXDocument {
    /// A content key (CPIX 2.4 § 7.4.7).
    package struct Key: Hashable, Sendable {
        package var keyID: KeyID
        /// The scheme that it is to be used with; nil for any.
        package var scheme: EncryptionScheme?
        /// The initialization vector that goes with it.
        package var explicitIV: Bytes16?
        /// The key itself; nil in a document that asks for it.
        package var value: ContentKey?
        package var hdcp: HDCPData?

        package init(
            keyID: KeyID,
            scheme: EncryptionScheme?,
            explicitIV: Bytes16? = nil,
            value: ContentKey? = nil,
            hdcp: HDCPData? = nil
        ) {
            self.keyID = keyID
            self.scheme = scheme
            self.explicitIV = explicitIV
            self.value = value
            self.hdcp = hdcp
        }
    }
}

extension CPIXDocument.Key {
    init(_ element: Element, _ opener: ContentKeyOpener) throws(CPIXError) {
        keyID = try element.keyID("kid")
        if let text = element.attribute("commonEncryptionScheme") {
            guard let scheme = EncryptionScheme(rawValue: text) else {
                throw CPIXError(
                    "\(element.path)@commonEncryptionScheme",
                    "there is neither a scheme nor a method of this name; there are "
                        + EncryptionScheme.allCases.map(\.rawValue).joined(separator: ", ")
                )
            }
            self.scheme = scheme
        }
        if let text = element.attribute("explicitIV") {
            // DASH-IF's own test vectors write it like a key ID.
            guard let iv = Bytes16(base64: text) ?? KeyID(uuid: text)?.bytes else {
                throw CPIXError("\(element.path)@explicitIV", "it is not the base64 of 16 bytes")
            }
            explicitIV = iv
        }
        hdcp = element.element("HDCPData").map(CPIXDocument.HDCPData.init)
        guard let secret = element.element("Data")?.element("Secret", .pskc) else { return }
        let holder: Element
        let bytes: [UInt8]
        if let encrypted = secret.element("EncryptedValue", .pskc) {
            (holder, bytes) = (encrypted, try opener.open(secret, encrypted, of: keyID))
        } else if let plain = secret.element("PlainValue", .pskc), !plain.text.trimmed.isEmpty {
            // The error does not show the text in place of the key.
            guard let plainBytes = plain.text.decodedBase64 else { throw CPIXError(plain.path, "it is not base64") }
            (holder, bytes) = (plain, plainBytes)
        } else {
            return
        }
        guard let value = Bytes16(bytes) else {
            throw CPIXError(holder.path, "a content key has 16 bytes, and this one \(bytes.count)")
        }
        self.value = ContentKey(value)
    }

    /// Returns the element of the key.
    ///
    /// - Parameter envelope: The envelope that its value is encrypted in; nil for the clear.
    /// - Returns: The element.
    /// - Throws: `OpenSSLError` if it cannot be encrypted.
    func element(in envelope: KeyEnvelope?) throws(OpenSSLError) -> Element {
        let secret = try value.map { value throws(OpenSSLError) in
            guard let envelope else {
                return Element("Secret", .pskc, [:], [Element("PlainValue", .pskc, text: value.secret.base64)])
            }
            let contents = try envelope.seal(value.secret.bytes)
            return Element(
                "Secret",
                .pskc,
                [:],
                [
                    Element("EncryptedValue", .pskc, cipher: contents.cipher, Algorithm.aes256),
                    Element("ValueMAC", .pskc, text: contents.authenticationCode.base64),
                ]
            )
        }
        return Element(
            "ContentKey",
            .cpix,
            [
                "kid": keyID.uuid, "explicitIV": explicitIV?.base64,
                "commonEncryptionScheme": scheme?.rawValue,
            ],
            [hdcp?.element, secret.map { Element("Data", .cpix, [:], [$0]) }].compactMap(\.self)
        )
    }
}
