package import MediaCore

/// Tracks that share their content keys during a crypto period.
///
/// Raw values go into derived keys, and into what operators read.
package enum KeyClass: String, Hashable, Sendable, CaseIterable {
    case video, audio

    /// The class of a rendition's tracks; audio that pictures carry is protected with their key.
    package init(_ kind: MediaKind) {
        self =
            switch kind {
            case .video: .video
            // Only whole segments of text are ever encrypted, which needs no key of its own.
            case .audio, .text, .metadata: .audio
            }
    }
}
