package import NIOCore
import Synchronization

/// A text in memory that is compressed when somebody first asks for that, once for all who do.
package final class CompressibleBody: Sendable {
    private enum State {
        case asked(ByteBuffer?)
        case unasked(CompressedText)
    }

    private let state: Mutex<State>

    init(_ text: CompressedText) { state = Mutex(.unasked(text)) }

    /// As gzip (RFC 1952); nil where that gains nothing.
    package var gzip: ByteBuffer? {
        state.withLock { state in
            switch state {
            case .asked(let gzip): return gzip
            case .unasked(let text):
                let gzip = text.gzip.flatMap { $0.readableBytes < text.body.readableBytes ? $0 : nil }
                state = .asked(gzip)
                return gzip
            }
        }
    }
}
