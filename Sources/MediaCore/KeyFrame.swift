package import NIOCore

/// A picture that decoding may start at, in the clear, with what it is decoded with.
///
/// Instances are distinguished by identity.
package final class KeyFrame: Sendable {
    package let configuration: CodecConfiguration
    /// The same as ``Sample/payload``.
    package let payload: ByteBuffer

    package init(configuration: CodecConfiguration, payload: ByteBuffer) {
        self.configuration = configuration
        self.payload = payload
    }

    /// Samples of luma that it decodes to.
    var size: Int { configuration.picture.map { $0.width * $0.height } ?? .max }
}
