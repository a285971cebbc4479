/// AV1: the sequence header and its picture format.
package struct AV1Configuration: Hashable, Sendable {
    /// The sequence header OBU, with its size field: configOBUs of `av1C` (AV1 Codec ISO Media File Format Binding §
    /// 2.3).
    package var sequenceHeader: [UInt8]
    /// seq_profile: 0 Main, 1 High, 2 Professional.
    package var profile: UInt8
    /// seq_level_idx of the first operating point.
    package var level: UInt8
    package var isHighTier: Bool
    /// 0 unknown, 1 vertical, 2 colocated.
    package var chromaSamplePosition: UInt8
    package var picture: PictureFormat

    package init(
        sequenceHeader: [UInt8],
        profile: UInt8,
        level: UInt8,
        isHighTier: Bool,
        chromaSamplePosition: UInt8 = 0,
        picture: PictureFormat
    ) {
        self.sequenceHeader = sequenceHeader
        self.profile = profile
        self.level = level
        self.isHighTier = isHighTier
        self.chromaSamplePosition = chromaSamplePosition
        self.picture = picture
    }
}
