package import MediaCore

/// The parameter sets of a stream as they stand, by id.
package struct AVCParameterSets: Sendable {
    private var sequenceSets: [SequenceParameterSet] = []
    private var pictureSets: [PictureParameterSet] = []
    /// Picture parameter sets whose sequence parameter set was replaced and that have not come again since.
    private var staleIDs: Set<Int> = []

    // ISO/IEC 14496-15 § 5.3.3.1.2: what the fields of `avcC` can hold, one less than there are ids.
    private static let mostSequenceSets = 31
    private static let mostPictureSets = 255
    private static let longestNALUnit = 65_535

    package init() {}

    /// Takes in a parameter set; one that stands already costs a comparison of bytes.
    ///
    /// - Parameter nalUnit: A sequence or picture parameter set, header byte included; others are ignored.
    /// - Returns: Whether it is new or replaces one of other bytes.
    /// - Throws: ``CodecError`` where it cannot be read; then everything stands as before.
    package mutating func insert(_ nalUnit: RawSpan) throws(CodecError) -> Bool {
        guard !nalUnit.isEmpty else { return false }
        guard nalUnit.byteCount <= Self.longestNALUnit else { throw .unsupported("length of parameter set") }
        switch NALUnitType(header: nalUnit.unsafeLoad(as: UInt8.self)) {
        case .sequenceParameterSet: return try insertSequenceSet(nalUnit)
        case .pictureParameterSet: return try insertPictureSet(nalUnit)
        default: return false
        }
    }

    /// Forgets picture parameter sets that others have taken the place of: call it behind an access unit.
    ///
    /// An encoder that changes its sequence parameter set sends the picture parameter sets that go with it. What it
    /// does not send again is left over from before, and must not tell apart two packagers of which one was started
    /// later. Where it sends none, all stay.
    package mutating func removeStale() {
        guard !staleIDs.isEmpty else { return }
        let renewed = Set(pictureSets.filter { !staleIDs.contains($0.id) }.map(\.sequenceParameterSetID))
        pictureSets.removeAll { staleIDs.contains($0.id) && renewed.contains($0.sequenceParameterSetID) }
        staleIDs.formIntersection(pictureSets.map(\.id))
    }

    /// The parameter sets that a slice names.
    ///
    /// - Throws: ``CodecError/missingParameterSet(pictureParameterSetID:)``.
    package func named(
        byPictureParameterSet id: Int
    ) throws(CodecError) -> (sequence: SequenceParameterSet, picture: PictureParameterSet) {
        guard let picture = pictureSets.first(where: { $0.id == id }),
            let sequence = sequenceSets.first(where: { $0.id == picture.sequenceParameterSetID })
        else { throw .missingParameterSet(pictureParameterSetID: id) }
        return (sequence, picture)
    }

    /// The decoder configuration: every parameter set that can be used, in order of ids (ISO/IEC 14496-15 § 5.3.3.1.2).
    ///
    /// - Parameter id: The picture parameter set in use; the first one if nil. What the configuration says of the
    ///   picture is from the sequence parameter set that it refers to.
    /// - Returns: Nil where that one, or what it refers to, is missing.
    package func configuration(usingPictureParameterSet id: Int? = nil) -> AVCConfiguration? {
        let pictures = pictureSets.filter { picture in
            sequenceSets.contains { $0.id == picture.sequenceParameterSetID }
        }
        let sequences = sequenceSets.filter { sequence in
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
            chromaFormat: UInt8(used.chromaFormat),
            lumaBitDepth: UInt8(used.lumaBitDepth),
            chromaBitDepth: UInt8(used.chromaBitDepth),
            width: used.width,
            height: used.height,
            sampleAspectRatio: used.usability.sampleAspectRatio,
            frameRate: used.usability.frameRate,
            colour: used.usability.colour
        )
    }

    private mutating func insertSequenceSet(_ nalUnit: RawSpan) throws(CodecError) -> Bool {
        if sequenceSets.contains(where: { nalUnit.hasSameBytes(as: $0.nalUnit) }) { return false }
        let new = try SequenceParameterSet(nalUnit)
        if let index = sequenceSets.firstIndex(where: { $0.id == new.id }) {
            sequenceSets[index] = new
            staleIDs.formUnion(pictureSets.filter { $0.sequenceParameterSetID == new.id }.map(\.id))
        } else {
            guard sequenceSets.count < Self.mostSequenceSets else { throw .unsupported("number of parameter sets") }
            sequenceSets.append(new)
            sequenceSets.sort { $0.id < $1.id }
        }
        return true
    }

    private mutating func insertPictureSet(_ nalUnit: RawSpan) throws(CodecError) -> Bool {
        if let same = pictureSets.first(where: { nalUnit.hasSameBytes(as: $0.nalUnit) }) {
            staleIDs.remove(same.id)
            return false
        }
        let new = try PictureParameterSet(nalUnit)
        if let index = pictureSets.firstIndex(where: { $0.id == new.id }) {
            pictureSets[index] = new
        } else {
            guard pictureSets.count < Self.mostPictureSets else { throw .unsupported("number of parameter sets") }
            pictureSets.append(new)
            pictureSets.sort { $0.id < $1.id }
        }
        staleIDs.remove(new.id)
        return true
    }
}

extension RawSpan {
    fileprivate func hasSameBytes(as other: [UInt8]) -> Bool {
        guard byteCount == other.count else { return false }
        return withUnsafeBytes { mine in other.withUnsafeBytes { mine.elementsEqual($0) } }
    }
}
