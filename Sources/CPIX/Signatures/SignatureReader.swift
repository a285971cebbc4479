import ContentProtection
import XML

/// Verifies the signatures of a document (XML Signature § 3.2).
struct SignatureReader {
    /// The most signatures in a document: more than needed, and few enough to verify quickly.
    private static let maximumCount = 16
    /// Bytes of what all signatures of a document refer to: four times the longest document.
    private static let mostSigned = 4 * Element.maximumBytes

    private let root: Element
    /// The elements that have an ID, each by the indices of the nodes that lead to it from the root.
    private let places: [String: [[Int]]]
    private var signedBytes = 0

    /// - Parameter root: The document's.
    init(_ root: Element) {
        self.root = root
        var places: [String: [[Int]]] = [:]
        root.collectPlaces(at: [], in: &places)
        self.places = places
    }

    /// Verifies all signatures.
    ///
    /// - Parameter signer: The certificate that must have signed the whole document; nil for none in particular.
    /// - Throws: ``CPIXError`` if a signature is wrong, or the signer's is missing.
    mutating func verify(signedBy signer: Certificate?) throws(CPIXError) {
        var isSigned = signer == nil
        var count = 0
        for (index, node) in root.nodes.enumerated() {
            guard case .element(let element) = node, element.name == "Signature",
                element.namespace == Namespace.signature.uri
            else { continue }
            count += 1
            guard count <= Self.maximumCount else { throw CPIXError(element.path, "there are too many signatures") }
            let certificate = try certificate(of: element)
            let isOfAll = try verify(element, at: index, by: certificate)
            if certificate == signer, isOfAll { isSigned = true }
        }
        guard isSigned else {
            throw CPIXError(
                "CPIX",
                "the whole document is not signed with the certificate that it has to be signed with"
            )
        }
    }

    private func certificate(of signature: Element) throws(CPIXError) -> Certificate {
        let data = signature.element("KeyInfo", .signature)?.element("X509Data", .signature)
        guard let text = data?.element("X509Certificate", .signature), let der = text.text.decodedBase64,
            let certificate = Certificate(der: der)
        else { throw CPIXError(signature.path, "it has no X.509 certificate of an RSA key") }
        return certificate
    }

    /// Verifies the signature that is the root's node of an index.
    ///
    /// - Returns: True if the whole document is signed.
    private mutating func verify(_ signature: Element, at index: Int, by signer: Certificate) throws(CPIXError) -> Bool
    {
        guard let info = signature.element("SignedInfo", .signature),
            let form = info.element("CanonicalizationMethod", .signature),
            let method = info.element("SignatureMethod", .signature),
            let value = signature.element("SignatureValue", .signature)?.text.decodedBase64
        else { throw CPIXError(signature.path, "it is incomplete") }
        let references = info.elements("Reference", .signature)
        guard 1...Self.maximumCount ~= references.count else {
            throw CPIXError(info.path, "it refers to \(references.count) parts of the document")
        }
        var isOfAll = false
        for reference in references { if try verify(reference, in: index) { isOfAll = true } }
        let digest: MessageDigest
        switch method.attribute("Algorithm") {
        case Algorithm.rsaSHA256: digest = .sha256
        case Algorithm.rsaSHA512: digest = .sha512
        default: throw CPIXError("\(method.path)@Algorithm", "RSA with SHA-256 or SHA-512 is expected")
        }
        guard let canonicalization = Canonicalization(form) else {
            throw CPIXError("\(form.path)@Algorithm", "canonical XML 1.0 without comments is expected")
        }
        let scope = root.declarations.merging(signature.declarations) { $1 }
        let text = try text(of: info, in: scope, canonicalization)
        guard signer.verifies(value, of: Array(text.utf8), digest) else {
            throw CPIXError(signature.path, "the signature is not that of its certificate: it was changed")
        }
        return isOfAll
    }

    /// Verifies the reference of the signature to the node of an index.
    ///
    /// - Returns: True if that is the whole document.
    private mutating func verify(_ reference: Element, in index: Int) throws(CPIXError) -> Bool {
        let uri = try reference.required("URI")
        var (part, scope) = (root, [String: String]())
        if !uri.isEmpty {
            let found = uri.hasPrefix("#") ? places[String(uri.dropFirst())] ?? [] : []
            guard found.count == 1 else {
                throw CPIXError(
                    "\(reference.path)@URI",
                    "there are \(found.count) elements of this ID; one is expected"
                )
            }
            for index in found[0] {
                guard case .element(let child) = part.nodes[index] else { continue }
                scope.merge(part.declarations) { $1 }
                part = child
            }
        }
        var canonicalization = Canonicalization(isExclusive: false)
        var isEnveloped = false
        for transform in reference.element("Transforms", .signature)?.elements("Transform", .signature) ?? [] {
            if transform.attribute("Algorithm") == Algorithm.enveloped {
                // A part of the document does not contain the signature.
                isEnveloped = uri.isEmpty
            } else if let form = Canonicalization(transform) {
                canonicalization = form
            } else {
                throw CPIXError("\(transform.path)@Algorithm", "this transformation is not allowed")
            }
        }
        if isEnveloped { part.nodes.remove(at: index) }
        let digest: MessageDigest
        let method = reference.element("DigestMethod", .signature)?.attribute("Algorithm")
        switch method {
        case Algorithm.sha256: digest = .sha256
        case Algorithm.sha512: digest = .sha512
        default: throw CPIXError(reference.path, "its DigestMethod is neither SHA-256 nor SHA-512")
        }
        let text = try text(of: part, in: scope, canonicalization)
        guard let value = reference.element("DigestValue", .signature)?.text.decodedBase64,
            (try? digest.digest(Array(text.utf8))) == value
        else {
            throw CPIXError(reference.path, "what was signed has been changed since")
        }
        return uri.isEmpty
    }

    /// Returns a canonical form, and counts its bytes.
    ///
    /// Nothing that a signature says is proven before its text is made: anybody can have made the document.
    private mutating func text(
        of part: Element,
        in scope: [String: String],
        _ canonicalization: Canonicalization
    ) throws(CPIXError) -> String {
        guard let text = canonicalization.text(of: part, in: scope, most: Self.mostSigned - signedBytes) else {
            throw CPIXError(root.path, "its signatures are over more than \(Self.mostSigned) bytes in all")
        }
        signedBytes += text.utf8.count
        return text
    }
}

extension Canonicalization {
    /// The one that an element names; nil if it is none of those without comments.
    fileprivate init?(_ element: Element) {
        switch element.attribute("Algorithm") {
        case Algorithm.canonical: self.init(isExclusive: false)
        case Algorithm.exclusive:
            let list = element.elements.first { $0.name == "InclusiveNamespaces" }?.attribute("PrefixList") ?? ""
            let prefixes = list.split(whereSeparator: \.isWhitespace).map { $0 == "#default" ? "" : String($0) }
            self.init(isExclusive: true, inclusivePrefixes: Set(prefixes))
        default: return nil
        }
    }
}

extension Element {
    /// Adds where this element is, and those within it, by their IDs.
    fileprivate func collectPlaces(at place: [Int], in places: inout [String: [[Int]]]) {
        if let id = attribute("id") { places[id, default: []].append(place) }
        for (index, node) in nodes.enumerated() {
            if case .element(let child) = node { child.collectPlaces(at: place + [index], in: &places) }
        }
    }
}
