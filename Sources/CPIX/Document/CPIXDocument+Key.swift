package import ContentProtection
package import MediaCore

extension CPIXDocument {
    /// A content key (CPIX 2.4 § 7.4.7).
    package struct Key: Hashable, Sendable {
        package var keyID: KeyID
        /// What it is to be used with; nil for anything.
        package var scheme: EncryptionScheme?
        /// The initialization vector that goes with it.
        package var explicitIV: Bytes16?
        /// Nil where the document asks for it.
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
    init(_ element: Element) throws(CPIXError) {
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
        guard let plain = secret.element("PlainValue", .pskc) else {
            if let encrypted = secret.element("EncryptedValue", .pskc) {
                throw CPIXError(encrypted.path, "the content key is encrypted, and there is no key to decrypt it with")
            }
            return
        }
        guard !plain.text.trimmed.isEmpty else { return }
        // What it has instead of a key is not shown.
        guard let bytes = plain.text.decodedBase64 else { throw CPIXError(plain.path, "it is not base64") }
        guard let value = Bytes16(bytes) else {
            throw CPIXError(plain.path, "a content key has 16 bytes, and this one \(bytes.count)")
        }
        self.value = ContentKey(value)
    }

    var element: Element {
        let secret = value.map {
            Element("Secret", .pskc, [:], [Element("PlainValue", .pskc, text: $0.secret.base64)])
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
