/// A change to samples that was needed to keep the grid; each is counted.
package enum CutRepair: String, Hashable, Sendable, CaseIterable {
    /// A segment had to start at a picture that decoding cannot start at: key frames are too far apart for the grid.
    case forcedCut
    /// A segment starts at a recovery point: there was no sync sample near the edge.
    case recoveryPointCut
    /// A segment starts at a recovery point that makes the picture right only some pictures later.
    case gradualRecoveryCut
    /// A sample came after its slot was published.
    case lateSample
    /// More cues came at once than viewers can read.
    case surplusCue
    /// A picture could not be decoded because a picture that it refers to was lost.
    case undecodableSample
    /// Audio frames overlapped those before them.
    case overlappingAudio
    /// A hole in the audio was filled with silence.
    case silenceInserted
    /// Samples gave way to a changed decoder configuration in the middle of their slot.
    case configurationChange

    /// True if all players can begin with the repaired segment.
    var leavesIndependence: Bool {
        switch self {
        case .forcedCut, .recoveryPointCut, .gradualRecoveryCut: false
        case .lateSample, .surplusCue, .undecodableSample, .overlappingAudio, .silenceInserted, .configurationChange:
            true
        }
    }
}
