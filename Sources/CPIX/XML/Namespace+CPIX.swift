import XML

/// The namespaces that CPIX documents are made of (CPIX 2.4 § 7.2).
extension Namespace {
    static let cpix = Namespace(prefix: "cpix", uri: "urn:dashif:org:cpix")
    static let pskc = Namespace(prefix: "pskc", uri: "urn:ietf:params:xml:ns:keyprov:pskc")
    static let signature = Namespace(prefix: "ds", uri: "http://www.w3.org/2000/09/xmldsig#")
    static let encryption = Namespace(prefix: "enc", uri: "http://www.w3.org/2001/04/xmlenc#")

    static let ofCPIX = [cpix, pskc, signature, encryption]
}
