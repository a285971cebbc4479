/// H.264: the parameter sets and their picture format.
package struct AVCConfiguration: Hashable, Sendable {
    /// Sequence parameter set NAL units, header byte included, emulation prevention in place.
    package var sequenceParameterSets: [[UInt8]]
    /// Picture parameter set NAL units, header byte included, emulation prevention in place.
    package var pictureParameterSets: [[UInt8]]
    /// profile_idc, the constraint flags' byte and level_idc: bytes 1 to 3 of the first sequence parameter set.
    package var profile: UInt8
    package var compatibility: UInt8
    package var level: UInt8
    package var picture: PictureFormat

    package init(
        sequenceParameterSets: [[UInt8]],
        pictureParameterSets: [[UInt8]],
        profile: UInt8,
        compatibility: UInt8,
        level: UInt8,
        picture: PictureFormat
    ) {
        self.sequenceParameterSets = sequenceParameterSets
        self.pictureParameterSets = pictureParameterSets
        self.profile = profile
        self.compatibility = compatibility
        self.level = level
        self.picture = picture
    }
}
