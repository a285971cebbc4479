package import NIOCore

/// The decision about a request, made once its head is read.
package enum Verdict: Sendable {
    /// The answer depends on nothing that follows the head.
    case answer(Reply)
    /// The answer depends on a body of at most so many bytes; of a longer one it is nil.
    case body(limit: Int, @Sendable (ByteBuffer?) -> Reply)
}
