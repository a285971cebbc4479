/// HEVC: the parameter sets and their picture format.
package struct HEVCConfiguration: Hashable, Sendable {
    /// Parameter set NAL units, header included, emulation prevention in place.
    package var videoParameterSets: [[UInt8]]
    package var sequenceParameterSets: [[UInt8]]
    package var pictureParameterSets: [[UInt8]]
    /// The general part of profile_tier_level() (ISO/IEC 23008-2 § 7.3.3).
    package var profileTierLevel: ProfileTierLevel
    /// min_spatial_segmentation_idc; 0 if nothing is promised.
    package var minimumSpatialSegmentation: UInt16
    /// sps_max_sub_layers_minus1 + 1.
    package var temporalLayers: UInt8
    package var isTemporalIDNested: Bool
    package var picture: PictureFormat

    /// The general part of profile_tier_level(), as `hvcC` and the codec's name repeat it.
    package struct ProfileTierLevel: Hashable, Sendable {
        package var profileSpace: UInt8
        package var isHighTier: Bool
        package var profile: UInt8
        package var compatibilityFlags: UInt32
        /// 48 bits, the progressive source flag the highest.
        package var constraintFlags: UInt64
        /// 30 times the level.
        package var level: UInt8

        package init(
            profileSpace: UInt8 = 0,
            isHighTier: Bool = false,
            profile: UInt8,
            compatibilityFlags: UInt32,
            constraintFlags: UInt64,
            level: UInt8
        ) {
            self.profileSpace = profileSpace
            self.isHighTier = isHighTier
            self.profile = profile
            self.compatibilityFlags = compatibilityFlags
            self.constraintFlags = constraintFlags
            self.level = level
        }
    }

    package init(
        videoParameterSets: [[UInt8]],
        sequenceParameterSets: [[UInt8]],
        pictureParameterSets: [[UInt8]],
        profileTierLevel: ProfileTierLevel,
        minimumSpatialSegmentation: UInt16 = 0,
        temporalLayers: UInt8 = 1,
        isTemporalIDNested: Bool = true,
        picture: PictureFormat
    ) {
        self.videoParameterSets = videoParameterSets
        self.sequenceParameterSets = sequenceParameterSets
        self.pictureParameterSets = pictureParameterSets
        self.profileTierLevel = profileTierLevel
        self.minimumSpatialSegmentation = minimumSpatialSegmentation
        self.temporalLayers = temporalLayers
        self.isTemporalIDNested = isTemporalIDNested
        self.picture = picture
    }
}
