/// Names a rendition in URLs: `video-1080p`, `audio-en`.
package struct RenditionID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Only letters, digits, `-`, `_` and `.`: it is part of paths.
    package var name: String

    package init(_ name: String) {
        self.name = name
    }

    package init(stringLiteral name: String) {
        self.init(name)
    }

    /// Names the I-frame playlist of a rendition in paths.
    package var iFrames: RenditionID { RenditionID("\(name)-iframes") }

    package var description: String { name }
}
