/// The two kinds of track that CMAF keeps apart.
package enum TrackKind: String, Hashable, Sendable {
    case video, audio
}
