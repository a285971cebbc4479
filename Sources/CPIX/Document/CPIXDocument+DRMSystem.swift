package import MediaCore
import XML

extension CPIXDocument {
    /// The signalling of a content key for players of one DRM system (CPIX 2.4 § 7.4.10).
    ///
    /// An empty value asks for one.
    package struct DRMSystem: Hashable, Sendable {
        /// HLSSignalingData: lines for a playlist.
        package struct Signaling: Hashable, Sendable {
            /// The playlist by its name in the document: `media`; `multiVariant`, which is `master` before CPIX 2.4 and
            /// in SPEKE; nil for the media playlist.
            package var playlist: String?
            package var lines: String

            package init(playlist: String?, lines: String = "") {
                self.playlist = playlist
                self.lines = lines
            }

            var isMultivariant: Bool { ["multivariant", "master"].contains(playlist?.lowercased()) }
        }

        package var keyID: KeyID
        /// A UUID in lower case.
        package var systemID: String
        package var name: String?
        /// A whole `pssh` box.
        package var pssh: [UInt8]?
        /// XML for a DASH manifest.
        package var contentProtection: String?
        package var signaling: [Signaling]
        /// The URI of EXT-X-KEY, up to CPIX 2.3.
        package var keyURI: String?
        /// The value of ALLOWED-CPC (RFC 8216bis § 4.4.6.2).
        package var allowedCPC: String?

        package init(keyID: KeyID, systemID: String, signaling: [Signaling] = []) {
            self.keyID = keyID
            self.systemID = systemID
            self.signaling = signaling
        }

        /// Lines for media playlists.
        package var mediaLines: String? { signaling.first { !$0.isMultivariant }?.lines }
    }
}

extension CPIXDocument.DRMSystem {
    init(_ element: Element) throws(CPIXError) {
        keyID = try element.keyID("kid")
        guard let systemID = KeyID(uuid: try element.required("systemId")) else {
            throw CPIXError("\(element.path)@systemId", "it is not a UUID")
        }
        self.systemID = systemID.uuid
        name = element.attribute("name")
        allowedCPC = element.attribute("HLSAllowedCPC")
        if let pssh = element.element("PSSH") {
            guard let bytes = pssh.text.decodedBase64 else { throw CPIXError(pssh.path, "it is not base64") }
            self.pssh = bytes
        }
        contentProtection = try element.element("ContentProtectionData")?.decodedText()
        keyURI = try element.element("URIExtXKey")?.decodedText()
        signaling = []
        for child in element.elements("HLSSignalingData") {
            let playlist = child.attribute("playlist")
            guard ["media", "master", "multivariant", nil].contains(playlist?.lowercased()) else {
                throw CPIXError("\(child.path)@playlist", "it is neither media nor multiVariant")
            }
            let one = Signaling(playlist: playlist, lines: try child.decodedText())
            guard !signaling.contains(where: { $0.isMultivariant == one.isMultivariant }) else {
                throw CPIXError(child.path, "there are lines for this playlist already")
            }
            signaling.append(one)
        }
    }

    var element: Element {
        Element(
            "DRMSystem",
            .cpix,
            ["kid": keyID.uuid, "systemId": systemID, "name": name, "HLSAllowedCPC": allowedCPC],
            [
                pssh.map { Element("PSSH", text: $0.base64) },
                contentProtection.map { Element("ContentProtectionData", text: Array($0.utf8).base64) },
                keyURI.map { Element("URIExtXKey", text: Array($0.utf8).base64) },
            ].compactMap(\.self)
                + signaling.map {
                    Element("HLSSignalingData", .cpix, ["playlist": $0.playlist], text: Array($0.lines.utf8).base64)
                }
        )
    }
}

extension Element {
    /// The text that its base64 stands for, which is UTF-8.
    fileprivate func decodedText() throws(CPIXError) -> String {
        guard let bytes = text.decodedBase64, let text = String(validating: bytes, as: UTF8.self) else {
            throw CPIXError(path, "it is not the base64 of UTF-8")
        }
        return text
    }
}
