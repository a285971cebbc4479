import XML

extension CPIXDocument {
    /// The protection that outputs need for media of a key (CPIX 2.4 § 7.4.8).
    package struct HDCPData: Hashable, Sendable {
        /// The value of HDCP-LEVEL (RFC 8216bis § 4.4.6.2).
        package var level: String?
        /// XML for a DASH manifest, in base64.
        package var outputProtection: String?

        package init(level: String?, outputProtection: String? = nil) {
            self.level = level
            self.outputProtection = outputProtection
        }
    }
}

extension CPIXDocument.HDCPData {
    init(_ element: Element) {
        level = element.attribute("HLSHDCPLevel")
        outputProtection = element.element("HDCPOutputProtectionData")?.text.trimmed
    }

    var element: Element {
        Element(
            "HDCPData",
            .cpix,
            ["HLSHDCPLevel": level],
            outputProtection.map { [Element("HDCPOutputProtectionData", text: $0)] } ?? []
        )
    }
}
