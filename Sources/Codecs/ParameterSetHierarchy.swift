/// A picture parameter set of H.264 or HEVC.
protocol PictureParameters: ParameterSet {
    /// The id of the sequence parameter set that it refers to.
    var sequenceParameterSetID: Int { get }
}

/// Sequence parameter sets, and the picture parameter sets that refer to them, as they stand in a stream.
struct ParameterSetHierarchy<SequenceSet: ParameterSet, PictureSet: PictureParameters>: Sendable {
    private(set) var sequences: ParameterSetList<SequenceSet>
    private(set) var pictures: ParameterSetList<PictureSet>
    /// Picture parameter sets whose sequence parameter set was replaced and that have not come again since.
    private var staleIDs: Set<Int> = []

    init(mostSequences: Int, mostPictures: Int) {
        sequences = ParameterSetList(limit: mostSequences)
        pictures = ParameterSetList(limit: mostPictures)
    }

    /// Takes in a sequence parameter set.
    ///
    /// - Returns: True if it is new or replaces one of other bytes.
    /// - Throws: ``CodecError`` if it cannot be read or kept; then everything stands as before.
    mutating func insertSequence(_ nalUnit: RawSpan) throws(CodecError) -> Bool {
        switch try sequences.insert(nalUnit) {
        case .same: return false
        case .new: return true
        case .replaced(let id):
            staleIDs.formUnion(pictures.elements.filter { $0.sequenceParameterSetID == id }.map(\.id))
            return true
        }
    }

    /// Takes in a picture parameter set.
    ///
    /// - Returns: True if it is new or replaces one of other bytes.
    /// - Throws: ``CodecError`` if it cannot be read or kept; then everything stands as before.
    mutating func insertPicture(_ nalUnit: RawSpan) throws(CodecError) -> Bool {
        switch try pictures.insert(nalUnit) {
        case .same(let id):
            staleIDs.remove(id)
            return false
        case .new(let id), .replaced(let id):
            staleIDs.remove(id)
            return true
        }
    }

    /// Forgets picture parameter sets that were replaced; to be called after an access unit.
    ///
    /// An encoder that changes its sequence parameter set sends the picture parameter sets that go with it. The sets
    /// that it does not send again are obsolete; two packagers that were started at different times must not differ by
    /// them. If it sends none, all stay.
    mutating func removeStale() {
        guard !staleIDs.isEmpty else { return }
        let renewed = Set(pictures.elements.filter { !staleIDs.contains($0.id) }.map(\.sequenceParameterSetID))
        pictures.removeAll { staleIDs.contains($0.id) && renewed.contains($0.sequenceParameterSetID) }
        staleIDs.formIntersection(pictures.elements.map(\.id))
    }

    /// The parameter sets that a slice names.
    ///
    /// - Throws: ``CodecError/missingParameterSet(pictureParameterSetID:)``.
    func named(byPictureParameterSet id: Int) throws(CodecError) -> (sequence: SequenceSet, picture: PictureSet) {
        guard let picture = pictures[id: id], let sequence = sequences[id: picture.sequenceParameterSetID] else {
            throw .missingParameterSet(pictureParameterSetID: id)
        }
        return (sequence, picture)
    }
}
