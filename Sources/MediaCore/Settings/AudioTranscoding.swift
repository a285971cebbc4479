/// The audio tracks that get a second one beside them, encoded to AAC.
package enum AudioTranscoding: String, Hashable, Sendable, CaseIterable {
    case none
    /// MP2, which HLS has no name for, and AC-3 and E-AC-3 without a twin that every player decodes.
    case automatic
    /// Transcode every codec but AAC.
    case all
}
