package import ContentProtection
package import MediaCore
import Playlists

extension CPIXDocument {
    /// Returns the signalling of a key for players, for the key systems whose licence servers are not ours.
    ///
    /// The values for media playlists count: session keys have the same URI, or players would fetch a key twice.
    ///
    /// - Returns: The signalling for the systems that the document has any for.
    /// - Throws: ``CPIXError`` if the signalling cannot be read, or is of another system.
    package func signalling(of keyID: KeyID) throws(CPIXError) -> [KeySystem: KeySignalling] {
        var signalling: [KeySystem: KeySignalling] = [:]
        for entry in systems where entry.keyID == keyID {
            let known = KeySystem.allCases.first { KeyID($0.systemID).uuid == entry.systemID }
            guard let system = known, system.hasLicenceServer else { continue }
            let given = KeySignalling(
                uri: try entry.uri(for: system),
                header: try entry.header(of: system),
                allowedCPC: try entry.allowedCPC(of: system)
            )
            if given != KeySignalling() { signalling[system] = given }
        }
        return signalling
    }
}

extension CPIXDocument.Key {
    /// The protection that displays must have; nil if none is required.
    ///
    /// - Throws: ``CPIXError`` for an unknown level.
    package func displayProtection() throws(CPIXError) -> DisplayProtection? {
        guard let level = hdcp?.level, !level.isEmpty else { return nil }
        guard let protection = DisplayProtection.allCases.first(where: { HDCPLevel($0).rawValue == level }) else {
            throw CPIXError("ContentKey \(keyID.uuid)/HDCPData@HLSHDCPLevel", "it is neither NONE, TYPE-0 nor TYPE-1")
        }
        return protection
    }
}

extension CPIXDocument.DRMSystem {
    /// Asks for the signalling of a key.
    ///
    /// - Parameters:
    ///   - keyID: The key.
    ///   - system: The system of the players that it is for.
    ///   - multivariant: The word for the multivariant playlist: SPEKE 2.1 keeps `master`, which CPIX 2.4 has replaced
    ///     by `multiVariant`.
    package init(keyID: KeyID, asking system: KeySystem, multivariant: String) {
        self.init(
            keyID: keyID,
            systemID: KeyID(system.systemID).uuid,
            signaling: [.init(playlist: "media"), .init(playlist: multivariant)]
        )
        switch system {
        case .widevine, .playready: pssh = []
        case .fairplay, .clearkey, .identity: break
        }
    }

    private func problem(_ element: String, _ message: String) -> CPIXError {
        CPIXError("DRMSystem \(systemID) of \(keyID.uuid)/\(element)", message)
    }

    fileprivate func uri(for system: KeySystem) throws(CPIXError) -> String? {
        if let lines = mediaLines, lines.contains(where: { !$0.isWhitespace }) {
            guard let key = EncryptionKey(lines: lines) else {
                throw problem("HLSSignalingData", "it has no EXT-X-KEY with METHOD and URI")
            }
            guard key.keyFormat == system.keyFormat else {
                throw problem("HLSSignalingData", "its KEYFORMAT is not that of \(system.rawValue)")
            }
            guard key.uri.isQuotable else { throw problem("HLSSignalingData", "its URI is not one") }
            return key.uri
        }
        guard let keyURI, !keyURI.isEmpty else { return nil }
        guard keyURI.isQuotable else { throw problem("URIExtXKey", "it is not a URI") }
        return keyURI
    }

    /// ALLOWED-CPC for a system: a value without a KEYFORMAT is the system's own.
    fileprivate func allowedCPC(of system: KeySystem) throws(CPIXError) -> String? {
        guard let allowedCPC, !allowedCPC.isEmpty else { return nil }
        guard allowedCPC.isQuotable else {
            throw problem("@HLSAllowedCPC", "it is no value of ALLOWED-CPC")
        }
        return allowedCPC.contains(":") ? allowedCPC : system.keyFormat.map { "\($0):\(allowedCPC)" }
    }

    fileprivate func header(of system: KeySystem) throws(CPIXError) -> ProtectionSystemHeader? {
        guard let pssh, !pssh.isEmpty else { return nil }
        guard let header = ProtectionSystemHeader(box: pssh) else { throw problem("PSSH", "it is not one pssh box") }
        guard header.systemID == system.systemID else {
            throw problem("PSSH", "it is of another system: \(KeyID(header.systemID).uuid)")
        }
        return header
    }
}
