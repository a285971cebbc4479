package import ContentProtection
import MediaCore
import XML

extension CPIXDocument {
    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: XML in UTF-8.
    ///   - recipient: Opens content keys that are encrypted.
    ///   - signer: The certificate that must have signed it; nil for none in particular. Signatures that are there are
    ///     verified anyhow.
    /// - Throws: ``CPIXError`` for the first thing that is wrong with it.
    package init(
        parsing bytes: some Sequence<UInt8>,
        for recipient: PrivateKey? = nil,
        signedBy signer: Certificate? = nil
    ) throws(CPIXError) {
        let root = try Element.document(bytes)
        var signatures = SignatureReader(root)
        try signatures.verify(signedBy: signer)
        try self.init(root, for: recipient)
    }

    private init(_ root: Element, for recipient: PrivateKey?) throws(CPIXError) {
        guard root.name == "CPIX", root.namespace == Namespace.cpix.uri else {
            throw CPIXError(root.path, "it is no CPIX document: its root is not CPIX of \(Namespace.cpix.uri)")
        }
        contentID = root.attribute("contentId")
        version = root.attribute("version")
        let deliveries = try root.members("DeliveryData").map(DeliveryData.init)
        recipients = deliveries.map(\.certificate)
        var opener = ContentKeyOpener()
        if let recipient, !deliveries.isEmpty { opener = try ContentKeyOpener(deliveries, recipient) }
        (keys, systems, periods, usageRules) = ([], [], [], [])
        var known: Set<KeyID> = []
        for element in root.members("ContentKey") {
            let key = try Key(element, opener)
            guard known.insert(key.keyID).inserted else {
                throw CPIXError("\(element.path)@kid", "another key has this ID already")
            }
            keys.append(key)
        }
        for element in root.members("DRMSystem") {
            let system = try DRMSystem(element)
            try Self.check(system.keyID, of: element, in: known)
            systems.append(system)
        }
        var periodIDs: Set<String> = []
        for element in root.members("ContentKeyPeriod") {
            let period = try Period(element)
            if let id = period.id, !periodIDs.insert(id).inserted {
                throw CPIXError("\(element.path)@id", "another period has this ID already")
            }
            periods.append(period)
        }
        for element in root.members("ContentKeyUsageRule") {
            let rule = try UsageRule(element)
            try Self.check(rule.keyID, of: element, in: known)
            if let missing = rule.periodIDs.first(where: { !periodIDs.contains($0) }) {
                throw CPIXError(element.path, "there is no ContentKeyPeriod '\(missing.prefix(64))'")
            }
            usageRules.append(rule)
        }
    }

    private static func check(_ keyID: KeyID, of element: Element, in known: Set<KeyID>) throws(CPIXError) {
        guard known.contains(keyID) else {
            throw CPIXError("\(element.path)@kid", "there is no ContentKey of this ID: \(keyID.uuid)")
        }
    }

    /// The document in UTF-8, with a line for each element.
    ///
    /// - Throws: `OpenSSLError` if content keys cannot be encrypted for the recipients.
    package func xml() throws(OpenSSLError) -> String { try element().indented().document(declaring: Namespace.ofCPIX) }

    private func element() throws(OpenSSLError) -> Element {
        var secrets: (document: [UInt8], authentication: [UInt8])?
        // A document that requests keys has none to encrypt.
        if !recipients.isEmpty, keys.contains(where: { $0.value != nil }) {
            secrets = (
                try KeyEnvelope.randomBytes(KeyEnvelope.keySize),
                try KeyEnvelope.randomBytes(KeyEnvelope.authenticationKeySize)
            )
        }
        let envelope = secrets.flatMap { KeyEnvelope(key: $0.document, authenticationKey: $0.authentication) }
        let deliveries = try recipients.map { recipient throws(OpenSSLError) in
            try DeliveryData.element(for: recipient, secrets)
        }
        let keys = try keys.map { key throws(OpenSSLError) in try key.element(in: envelope) }
        let lists = [
            ("DeliveryDataList", deliveries),
            ("ContentKeyList", keys),
            ("DRMSystemList", systems.map(\.element)),
            ("ContentKeyPeriodList", periods.map(\.element)),
            ("ContentKeyUsageRuleList", usageRules.map(\.element)),
        ]
        return Element(
            "CPIX",
            .cpix,
            ["contentId": contentID, "version": version],
            lists.filter { !$1.isEmpty }.map { Element($0, .cpix, [:], $1) }
        )
    }
}

extension Element {
    /// The members of the list that is called after them.
    fileprivate func members(_ name: String) -> [Element] { element("\(name)List")?.elements(name) ?? [] }
}
