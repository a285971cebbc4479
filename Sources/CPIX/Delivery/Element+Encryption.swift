import ContentProtection
import XML

/// Encrypted values (XML Encryption § 3.1), as elements of PSKC hold them (RFC 6030 § 6).
extension Element {
    /// The bytes of CipherValue below it.
    ///
    /// - Parameter algorithm: The algorithm that the value has to be encrypted with.
    /// - Returns: The bytes.
    /// - Throws: ``CPIXError`` if it is encrypted otherwise, or has none.
    func cipher(_ algorithm: String) throws(CPIXError) -> [UInt8] {
        guard let method = element("EncryptionMethod", .encryption), let data = element("CipherData", .encryption),
            let value = data.element("CipherValue", .encryption), let bytes = value.text.decodedBase64
        else { throw CPIXError(path, "it has no EncryptionMethod with a CipherValue in base64") }
        try method.check(algorithm)
        return bytes
    }

    /// - Throws: ``CPIXError`` if its algorithm is another.
    func check(_ algorithm: String) throws(CPIXError) {
        let other = attribute("Algorithm") ?? "missing"
        guard other == algorithm else {
            throw CPIXError("\(path)@Algorithm", "it is \(other.prefix(80)); \(algorithm) is expected")
        }
    }

    /// An element with an encrypted value, to be written.
    init(_ name: String, _ namespace: Namespace, cipher: [UInt8], _ algorithm: String) {
        let value = Element("CipherValue", .encryption, text: cipher.base64)
        self.init(
            name,
            namespace,
            [:],
            [
                Element("EncryptionMethod", .encryption, ["Algorithm": algorithm]),
                Element("CipherData", .encryption, [:], [value]),
            ]
        )
    }
}
