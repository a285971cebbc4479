package import NIOCore
import Synchronization

/// What a peer is told, written once for every change however often it is asked for.
package final class PeerAnswer: Sendable {
    private let document: @Sendable () -> PeerDocument
    private let written = Mutex<(document: PeerDocument, json: ByteBuffer)?>(nil)

    /// - Parameter document: Makes it as it is now.
    package init(_ document: @escaping @Sendable () -> PeerDocument) {
        self.document = document
    }

    /// - Returns: The document as JSON.
    /// - Throws: What `JSONEncoder` throws.
    package func json() throws -> ByteBuffer {
        let document = document()
        // Whoever asks meanwhile waits for the one that writes.
        return try written.withLock { written in
            // A window that has not changed shares its storage, so that comparing costs next to nothing.
            if let written, written.document == document { return written.json }
            let json = ByteBuffer(bytes: try document.json())
            written = (document, json)
            return json
        }
    }
}
