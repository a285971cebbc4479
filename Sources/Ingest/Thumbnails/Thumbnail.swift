package import NIOCore

/// A small picture of what is on air, or of what an input delivers.
package struct Thumbnail: Hashable, Sendable {
    /// The picture as JPEG.
    package var bytes: ByteBuffer
    /// The width in pixels, which are square.
    package var width: Int
    package var height: Int
}
