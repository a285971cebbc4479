/// What a decoder must know before the first sample of a track, and what a playlist says of it.
package enum CodecConfiguration: Hashable, Sendable {
    case avc(AVCConfiguration)
    case aac(AACConfiguration)

    package var kind: TrackKind {
        switch self {
        case .avc: .video
        case .aac: .audio
        }
    }
}

/// The two kinds of track that CMAF keeps apart.
package enum TrackKind: String, Hashable, Sendable {
    case video, audio
}
