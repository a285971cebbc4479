import ContentProtection
import MediaCore
import XML

/// The recipient of a document, and the keys that open its content keys, encrypted for it (CPIX 2.4 § 7.4.4).
struct DeliveryData {
    let certificate: Certificate
    private let element: Element

    init(_ element: Element) throws(CPIXError) {
        let data = element.element("DeliveryKey")?.element("X509Data", .signature)
        guard let text = data?.element("X509Certificate", .signature), let der = text.text.decodedBase64,
            let certificate = Certificate(der: der)
        else { throw CPIXError(element.path, "its DeliveryKey has no X.509 certificate of an RSA key") }
        self.certificate = certificate
        self.element = element
    }

    /// Returns the envelopes of the content keys.
    ///
    /// - Returns: The envelopes by the content keys that each is for; the one for all others by nil.
    /// - Throws: ``CPIXError`` if something is missing, or cannot be decrypted.
    func envelopes(openedBy recipient: PrivateKey) throws(CPIXError) -> [KeyID?: KeyEnvelope] {
        guard let method = element.element("MACMethod") else {
            throw CPIXError(element.path, "it has no MACMethod: nobody could tell whether a content key was changed")
        }
        try method.check(Algorithm.hmacSHA512)
        // The schema says MACKey of PSKC; documents in the field, DASH-IF's own among them, say Key.
        let named = method.elements.first { ["MACKey", "Key"].contains($0.name) }
        guard let macKey = named?.element("EncryptedValue", .pskc) ?? named else {
            throw CPIXError(method.path, "it has no MACKey")
        }
        let authenticationKey = try open(macKey, recipient)
        var envelopes: [KeyID?: KeyEnvelope] = [:]
        for document in element.elements("DocumentKey") {
            let secret = document.element("Data")?.element("Secret", .pskc)
            guard let value = secret?.element("EncryptedValue", .pskc) else {
                throw CPIXError(document.path, "it has no EncryptedValue")
            }
            guard let envelope = KeyEnvelope(key: try open(value, recipient), authenticationKey: authenticationKey)
            else { throw CPIXError(document.path, "a document key has \(KeyEnvelope.keySize) bytes") }
            guard let names = document.attribute("encryptsKey")?.split(separator: " ") else {
                envelopes[nil] = envelope
                continue
            }
            for name in names {
                guard let id = KeyID(uuid: String(name)) else {
                    throw CPIXError("\(document.path)@encryptsKey", "'\(name)' is not the UUID of a key")
                }
                envelopes[id] = envelope
            }
        }
        return envelopes
    }

    private func open(_ element: Element, _ recipient: PrivateKey) throws(CPIXError) -> [UInt8] {
        let cipher = try element.cipher(Algorithm.rsaOAEP)
        do {
            return try recipient.decrypt(cipher)
        } catch {
            throw CPIXError(element.path, "it cannot be decrypted with the recipient's key")
        }
    }
}

extension DeliveryData {
    /// Returns the element that names the recipient of a document, or of one that is asked for.
    ///
    /// - Parameters:
    ///   - certificate: The recipient's.
    ///   - keys: The keys that open its content keys; nil in a request, for the answering server has them.
    /// - Returns: The element.
    /// - Throws: `OpenSSLError` if they cannot be encrypted.
    static func element(
        for certificate: Certificate,
        _ keys: (document: [UInt8], authentication: [UInt8])?
    ) throws(OpenSSLError) -> Element {
        let text = Element("X509Certificate", .signature, text: certificate.der.base64)
        var children = [Element("DeliveryKey", .cpix, [:], [Element("X509Data", .signature, [:], [text])])]
        if let keys {
            let cipher = try certificate.encrypt(keys.document)
            let value = Element("EncryptedValue", .pskc, cipher: cipher, Algorithm.rsaOAEP)
            let data = Element("Data", .cpix, [:], [Element("Secret", .pskc, [:], [value])])
            children.append(Element("DocumentKey", .cpix, [:], [data]))
            let authentication = try certificate.encrypt(keys.authentication)
            let macKey = Element("MACKey", .pskc, cipher: authentication, Algorithm.rsaOAEP)
            children.append(Element("MACMethod", .cpix, ["Algorithm": Algorithm.hmacSHA512], [macKey]))
        }
        return Element("DeliveryData", .cpix, [:], children)
    }
}
