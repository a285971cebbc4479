import Playlists

/// Which renditions viewers shall have: what the engine wants, without those that would be gaps for ever and those of
/// which no segment could be written yet.
struct DeclaredRenditions {
    private var wanted: [RenditionDescription] = []
    /// Of these, what no input has any more, and nothing that is listed is media of.
    private var left: Set<RenditionID> = []
    /// Of these, what no segment could be written of yet.
    private var unwritable: Set<RenditionID> = []

    /// In the order in which players shall see them.
    var listed: [RenditionDescription] { wanted.filter { !leftOut.contains($0.id) } }
    /// Those that are wanted, and that no playlist has.
    var leftOut: Set<RenditionID> { left.union(unwritable) }

    /// The engine wants these.
    mutating func declare(_ renditions: [RenditionDescription]) {
        wanted = renditions
        let ids = Set(renditions.map(\.id))
        left.formIntersection(ids)
        unwritable.formIntersection(ids)
    }

    /// One of them would be a gap for ever; the engine, which hears of it, may have decided on slots with it meanwhile.
    ///
    /// - Returns: Whether that is news.
    mutating func leave(_ id: RenditionID) -> Bool { left.insert(id).inserted }

    /// No segment of one of them can be written.
    ///
    /// - Returns: Whether that is news.
    mutating func cannotWrite(_ id: RenditionID) -> Bool { unwritable.insert(id).inserted }

    /// There is media of one of them.
    mutating func written(_ id: RenditionID) {
        left.remove(id)
        unwritable.remove(id)
    }

    func contains(_ id: RenditionID) -> Bool { description(of: id) != nil }

    func description(of id: RenditionID) -> RenditionDescription? { wanted.first { $0.id == id } }
}
