/// A video's dynamic range beyond its transfer characteristics; all of it nil if it is standard.
package struct DynamicRangeMetadata: Hashable, Sendable {
    /// SMPTE ST 2086: 24 bytes as `mdcv` and the SEI message 137 carry them (ISO/IEC 14496-12 § 12.1.7), primaries in
    /// the order green, blue, red.
    package var masteringDisplay: [UInt8]?
    /// CTA-861.3: MaxCLL and MaxFALL in cd/m², four bytes as `clli` and the SEI message 144 carry them.
    package var contentLight: [UInt8]?
    /// True if pictures carry SMPTE ST 2094-40 metadata (HDR10+).
    package var hasHDR10Plus: Bool
    /// The container's configuration of Dolby Vision; nil if there is none.
    package var dolbyVision: DolbyVisionConfiguration?

    package init(
        masteringDisplay: [UInt8]? = nil,
        contentLight: [UInt8]? = nil,
        hasHDR10Plus: Bool = false,
        dolbyVision: DolbyVisionConfiguration? = nil
    ) {
        self.masteringDisplay = masteringDisplay
        self.contentLight = contentLight
        self.hasHDR10Plus = hasHDR10Plus
        self.dolbyVision = dolbyVision
    }
}
