package import NIOCore
import Synchronization

/// A text in memory that is compressed when somebody first asks for that, once for all who do.
package final class CompressibleBody: Sendable {
    /// The text as gzip (RFC 1952): another representation, so another entity tag (RFC 9110 § 8.8.3.3).
    package struct Compressed: Sendable {
        package let body: ByteBuffer
        package let entityTag: String
    }

    private enum State {
        case asked(Compressed?)
        case unasked(CompressedText)
    }

    private let state: Mutex<State>
    private let entityTag: String

    /// - Parameters:
    ///   - text: What is compressed.
    ///   - entityTag: Of the text as it is, with its quotes.
    init(_ text: CompressedText, entityTag: String) {
        state = Mutex(.unasked(text))
        self.entityTag = entityTag
    }

    /// Nil where it gains nothing.
    package var compressed: Compressed? {
        state.withLock { state in
            switch state {
            case .asked(let compressed): return compressed
            case .unasked(let text):
                let gzip = text.gzip.flatMap { $0.readableBytes < text.body.readableBytes ? $0 : nil }
                let compressed = gzip.map { Compressed(body: $0, entityTag: "\(entityTag.dropLast())-gzip\"") }
                state = .asked(compressed)
                return compressed
            }
        }
    }
}
