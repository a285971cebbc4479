/// What had to be done to samples to keep the grid; each is counted.
package enum CutRepair: String, Hashable, Sendable, CaseIterable {
    /// A segment had to start at a picture that decoding cannot start at: key frames are too far apart for the grid.
    case forcedCut
    /// A segment starts at a recovery point: there was no sync sample near the edge.
    case recoveryPointCut
    /// The same, where the picture is right only some pictures after the recovery point.
    case gradualRecoveryCut
    /// A sample came after its slot was published.
    case lateSample
    /// There were more cues at once than anybody reads.
    case surplusCue
    /// A picture could not be decoded because what it refers to was lost.
    case undecodableSample
    /// Audio frames that overlap what is already there.
    case overlappingAudio
    /// A hole in the audio was filled with silence.
    case silenceInserted
    /// Samples gave way to a changed decoder configuration in the middle of their slot.
    case configurationChange

    /// Whether all players can begin with the segment that it was done to.
    var leavesIndependence: Bool {
        switch self {
        case .forcedCut, .recoveryPointCut, .gradualRecoveryCut: false
        case .lateSample, .surplusCue, .undecodableSample, .overlappingAudio, .silenceInserted, .configurationChange:
            true
        }
    }
}
