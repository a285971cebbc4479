/// The names of algorithms in documents (XML Encryption § 5.1, XML Signature § 6.1, RFC 6931).
enum Algorithm {
    static let aes256 = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"
    static let rsaOAEP = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"
    static let hmacSHA512 = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha512"
    static let rsaSHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
    static let rsaSHA512 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"
    static let sha256 = "http://www.w3.org/2001/04/xmlenc#sha256"
    static let sha512 = "http://www.w3.org/2001/04/xmlenc#sha512"
    static let enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
    static let canonical = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
    static let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
}
