package import NIOCore
import Synchronization

/// The document for a peer, made once for every change.
package final class PeerAnswer: Sendable {
    /// Differs wherever the document does.
    package struct Revision: Hashable, Sendable {
        /// The revision of the window, ``Presentation/Presentation/revision``.
        var window: Int
        var isJoining: Bool

        package init(window: Int, isJoining: Bool) {
            self.window = window
            self.isJoining = isJoining
        }
    }

    private let revision: @Sendable () -> Revision
    private let document: @Sendable () -> PeerDocument
    private let written = Mutex<(revision: Revision, json: ByteBuffer)?>(nil)

    /// - Parameters:
    ///   - revision: Returns the revision of the present document.
    ///   - document: Makes the present document.
    package init(revision: @escaping @Sendable () -> Revision, _ document: @escaping @Sendable () -> PeerDocument) {
        self.revision = revision
        self.document = document
    }

    /// - Returns: The document as JSON.
    /// - Throws: The error of `JSONEncoder`.
    package func json() throws -> ByteBuffer {
        // Other callers wait for the one that writes.
        try written.withLock { written in
            // The revision is read before the document, so that a change in between causes another write.
            let revision = revision()
            if let written, written.revision == revision { return written.json }
            let json = ByteBuffer(bytes: try document().json())
            written = (revision, json)
            return json
        }
    }
}
