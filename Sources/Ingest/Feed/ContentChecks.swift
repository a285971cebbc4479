/// The checks of an input's content, which take decoding it.
package struct ContentChecks: Hashable, Sendable {
    /// True if pictures are compared with those before them.
    package var pictures: Bool
    /// True if the level of audio is measured.
    package var audio: Bool

    package init(pictures: Bool = false, audio: Bool = false) {
        self.pictures = pictures
        self.audio = audio
    }

    package func union(_ other: Self) -> Self {
        Self(pictures: pictures || other.pictures, audio: audio || other.audio)
    }
}
