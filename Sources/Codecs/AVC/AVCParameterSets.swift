import MediaCore

/// The parameter sets of a stream as they stand, by id.
struct AVCParameterSets: Sendable {
    // ISO/IEC 14496-15 § 5.3.3.1.2: the most that the fields of `avcC` can count, one less than there are ids.
    private var sets = ParameterSetHierarchy<SequenceParameterSet, PictureParameterSet>(
        mostSequences: 31,
        mostPictures: 255
    )

    init() {}

    /// Takes in a parameter set; one that stands already costs a comparison of bytes.
    ///
    /// - Parameter nalUnit: A sequence or picture parameter set, header byte included; others are ignored.
    /// - Returns: True if it is new or replaces one of other bytes.
    /// - Throws: ``CodecError`` if it cannot be read; then everything stands as before.
    mutating func insert(_ nalUnit: RawSpan) throws(CodecError) -> Bool {
        guard !nalUnit.isEmpty else { return false }
        switch NALUnitType(header: nalUnit.unsafeLoad(as: UInt8.self)) {
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
    ) throws(CodecError) -> (sequence: SequenceParameterSet, picture: PictureParameterSet) {
        try sets.named(byPictureParameterSet: id)
    }

    /// The decoder configuration: every parameter set that can be used, in order of ids (ISO/IEC 14496-15 § 5.3.3.1.2).
    ///
    /// - Parameter id: The picture parameter set in use; the first one if nil. The configuration describes the picture
    ///   by the sequence parameter set that it refers to.
    /// - Returns: Nil if that one, or what it refers to, is missing.
    func configuration(usingPictureParameterSet id: Int? = nil) -> AVCConfiguration? {
        let pictures = sets.pictures.elements.filter { sets.sequences[id: $0.sequenceParameterSetID] != nil }
        let sequences = sets.sequences.elements.filter { sequence in
            pictures.contains { $0.sequenceParameterSetID == sequence.id }
        }
        guard let id = id ?? pictures.first?.id, let used = try? named(byPictureParameterSet: id).sequence else {
            return nil
        }
        return AVCConfiguration(
            sequenceParameterSets: sequences.map(\.nalUnit),
            pictureParameterSets: pictures.map(\.nalUnit),
            profile: used.profile,
            compatibility: used.compatibility,
            level: used.level,
            picture: PictureFormat(
                width: used.width,
                height: used.height,
                sampleAspectRatio: used.usability.sampleAspectRatio,
                chromaFormat: UInt8(used.chromaFormat),
                lumaBitDepth: UInt8(used.lumaBitDepth),
                chromaBitDepth: UInt8(used.chromaBitDepth),
                frameRate: used.usability.frameRate,
                colour: used.usability.colour
            )
        )
    }
}
