import Playlists

/// The renditions that viewers have: those that the engine wants, without those of which no segment could be written yet.
struct DeclaredRenditions {
    private var wanted: [RenditionDescription] = []
    /// Of these, what no segment could be written of yet.
    private(set) var leftOut: Set<RenditionID> = []

    /// In the order in which players shall see them.
    var listed: [RenditionDescription] { wanted.filter { !leftOut.contains($0.id) } }

    /// The engine wants these.
    mutating func declare(_ renditions: [RenditionDescription]) {
        wanted = renditions
        if !leftOut.isEmpty { leftOut.formIntersection(renditions.map(\.id)) }
    }

    /// No segment of one of them can be written.
    ///
    /// - Returns: Whether that is news.
    mutating func cannotWrite(_ id: RenditionID) -> Bool { leftOut.insert(id).inserted }

    /// There is media of one of them.
    mutating func written(_ id: RenditionID) {
        leftOut.remove(id)
    }

    func contains(_ id: RenditionID) -> Bool { description(of: id) != nil }

    func description(of id: RenditionID) -> RenditionDescription? { wanted.first { $0.id == id } }
}
