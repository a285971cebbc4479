import MediaCore

/// The parameter sets of a stream as they stand, by id.
struct HEVCParameterSets: Sendable {
    // The numbers of ids (ISO/IEC 23008-2 § 7.4.3): `hvcC` counts with 16 bits.
    private var videoSets = ParameterSetList<HEVCVideoParameterSet>(limit: 16)
    private var sets = ParameterSetHierarchy<HEVCSequenceParameterSet, HEVCPictureParameterSet>(
        mostSequences: 16,
        mostPictures: 64
    )

    init() {}

    /// Takes in a parameter set; one that stands already costs a comparison of bytes.
    ///
    /// - Parameter nalUnit: A parameter set of any kind, header included; others are ignored.
    /// - Returns: True if it is new or replaces one of other bytes.
    /// - Throws: ``CodecError`` if it cannot be read; then everything stands as before.
    mutating func insert(_ nalUnit: RawSpan) throws(CodecError) -> Bool {
        guard !nalUnit.isEmpty else { return false }
        switch HEVCNALUnitType(header: nalUnit.unsafeLoad(as: UInt8.self)) {
        case .videoParameterSet:
            if case .same = try videoSets.insert(nalUnit) { return false }
            return true
        case .sequenceParameterSet: return try sets.insertSequence(nalUnit)
        case .pictureParameterSet: return try sets.insertPicture(nalUnit)
        default: return false
        }
    }

    /// Forgets picture parameter sets that others have taken the place of: call it behind an access unit.
    mutating func removeStale() {
        sets.removeStale()
    }

    /// The parameter sets that a slice names.
    ///
    /// - Throws: ``CodecError/missingParameterSet(pictureParameterSetID:)``.
    func named(
        byPictureParameterSet id: Int
    ) throws(CodecError) -> (sequence: HEVCSequenceParameterSet, picture: HEVCPictureParameterSet) {
        try sets.named(byPictureParameterSet: id)
    }

    /// The decoder configuration: every parameter set that can be used, in order of ids.
    ///
    /// - Parameter id: The picture parameter set in use; the first one if nil. The configuration describes the picture
    ///   by the sequence parameter set that it refers to.
    /// - Returns: Nil if that one, or what it refers to, is missing.
    func configuration(usingPictureParameterSet id: Int? = nil) -> HEVCConfiguration? {
        let sequences = sets.sequences.elements.filter { sequence in
            videoSets[id: sequence.videoParameterSetID] != nil
                && sets.pictures.elements.contains { $0.sequenceParameterSetID == sequence.id }
        }
        let pictures = sets.pictures.elements.filter { picture in
            sequences.contains { $0.id == picture.sequenceParameterSetID }
        }
        guard let id = id ?? pictures.first?.id, let used = try? named(byPictureParameterSet: id).sequence,
            let video = videoSets[id: used.videoParameterSetID]
        else { return nil }
        return HEVCConfiguration(
            videoParameterSets: videoSets.elements
                .filter { video in sequences.contains { $0.videoParameterSetID == video.id } }
                .map(\.nalUnit),
            sequenceParameterSets: sequences.map(\.nalUnit),
            pictureParameterSets: pictures.map(\.nalUnit),
            profileTierLevel: used.profileTierLevel,
            minimumSpatialSegmentation: UInt16(used.usability.minimumSpatialSegmentation),
            temporalLayers: UInt8(used.subLayers + 1),
            isTemporalIDNested: used.isTemporalIDNested,
            picture: PictureFormat(
                width: used.width,
                height: used.height,
                sampleAspectRatio: used.usability.sampleAspectRatio,
                chromaFormat: UInt8(used.chromaFormat),
                lumaBitDepth: UInt8(used.lumaBitDepth),
                chromaBitDepth: UInt8(used.chromaBitDepth),
                frameRate: used.usability.frameRate ?? video.frameRate,
                colour: used.usability.colour
            )
        )
    }
}
