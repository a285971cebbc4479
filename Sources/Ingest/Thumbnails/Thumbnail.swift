package import NIOCore

/// A small picture of the channel or of one of its inputs.
package struct Thumbnail: Hashable, Sendable {
    /// The picture as JPEG.
    package var bytes: ByteBuffer
    /// The width in pixels, which are square.
    package var width: Int
    package var height: Int
}
