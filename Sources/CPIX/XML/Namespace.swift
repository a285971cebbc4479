/// The namespaces that CPIX documents are made of (CPIX 2.4 § 7.2); the prefixes are those that are written.
enum Namespace: String, CaseIterable {
    case cpix = "urn:dashif:org:cpix"
    case pskc = "urn:ietf:params:xml:ns:keyprov:pskc"
    case signature = "http://www.w3.org/2000/09/xmldsig#"
    case encryption = "http://www.w3.org/2001/04/xmlenc#"

    var prefix: String {
        switch self {
        case .cpix: "cpix"
        case .pskc: "pskc"
        case .signature: "ds"
        case .encryption: "enc"
        }
    }
}
