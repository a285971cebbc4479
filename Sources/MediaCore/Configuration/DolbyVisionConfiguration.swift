/// DOVIDecoderConfigurationRecord (Dolby Vision Streams Within the ISO Base Media File Format § 3.2).
package struct DolbyVisionConfiguration: Hashable, Sendable {
    package var versionMajor: UInt8
    package var versionMinor: UInt8
    package var profile: UInt8
    package var level: UInt8
    package var hasReferenceProcessingUnit: Bool
    package var hasEnhancementLayer: Bool
    package var hasBaseLayer: Bool
    /// The format for decoders without Dolby Vision: 0 none, 1 HDR10, 2 SDR, 4 HLG.
    package var compatibilityID: UInt8

    package init(
        versionMajor: UInt8 = 1,
        versionMinor: UInt8 = 0,
        profile: UInt8,
        level: UInt8,
        hasReferenceProcessingUnit: Bool = true,
        hasEnhancementLayer: Bool = false,
        hasBaseLayer: Bool = true,
        compatibilityID: UInt8
    ) {
        self.versionMajor = versionMajor
        self.versionMinor = versionMinor
        self.profile = profile
        self.level = level
        self.hasReferenceProcessingUnit = hasReferenceProcessingUnit
        self.hasEnhancementLayer = hasEnhancementLayer
        self.hasBaseLayer = hasBaseLayer
        self.compatibilityID = compatibilityID
    }
}
