package import NIOCore

/// A small picture of what is on air, or of what an input delivers.
package struct Thumbnail: Hashable, Sendable {
    /// JPEG.
    package var bytes: ByteBuffer
    /// In pixels, which are square.
    package var width: Int
    package var height: Int
}
