package import MediaCore

/// The tracks of a channel that have content keys of their own: audio, video, and the classes of video that are apart.
///
/// Each class costs a viewer's device a place for secure decryption, so that without need there are no more than two.
package struct KeyClasses: Hashable, Sendable {
    /// Classes of video that have keys of their own.
    package let apart: Set<VideoClass>
    /// The classes, in the order in which keys are requested and listed.
    package let all: [KeyClass]

    package init(apart: some Sequence<VideoClass> = []) {
        let apart = Set(apart)
        self.apart = apart
        let keptApart = apart.map { KeyClass($0) }
        // No size is left to share a key.
        let isSharing = !apart.isSuperset(of: VideoClass.sizes)
        all = KeyClass.allCases.filter { $0 == .audio || $0 == .video && isSharing || keptApart.contains($0) }
    }

    /// Returns the class of a picture: its dynamic range comes before its size.
    ///
    /// - Parameters:
    ///   - size: One of ``/MediaCore/VideoClass/sizes``.
    ///   - isHDR: True if its dynamic range is high.
    /// - Returns: One of ``all``.
    package func ofPicture(_ size: VideoClass, isHDR: Bool) -> KeyClass {
        if isHDR, apart.contains(.hdr) { return .hdr }
        return apart.contains(size) ? KeyClass(size) : .video
    }

    /// Returns the class of all tracks of a kind; nil for video whose class depends on the picture, and for kinds
    /// without protection.
    package func ofAll(_ kind: MediaKind) -> KeyClass? {
        switch kind {
        // Audio that pictures carry is protected with their key.
        case .video: apart.isEmpty ? .video : nil
        case .audio: .audio
        case .text: nil
        }
    }
}
