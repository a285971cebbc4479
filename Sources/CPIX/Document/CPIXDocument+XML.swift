import MediaCore

extension CPIXDocument {
    /// Reads a document.
    ///
    /// - Parameter bytes: XML in UTF-8.
    /// - Throws: ``CPIXError`` for the first thing that is wrong with it.
    package init(parsing bytes: some Sequence<UInt8>) throws(CPIXError) {
        try self.init(Element(parsing: bytes))
    }

    init(_ root: Element) throws(CPIXError) {
        guard root.name == "CPIX", root.namespace == Namespace.cpix.rawValue else {
            throw CPIXError(root.path, "it is no CPIX document: its root is not CPIX of \(Namespace.cpix.rawValue)")
        }
        contentID = root.attribute("contentId")
        version = root.attribute("version")
        (keys, systems, periods, usageRules) = ([], [], [], [])
        var known: Set<KeyID> = []
        for element in root.members("ContentKey") {
            let key = try Key(element)
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
    package var xml: String { element.indented().document }

    var element: Element {
        let lists = [
            ("ContentKeyList", keys.map(\.element)),
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
