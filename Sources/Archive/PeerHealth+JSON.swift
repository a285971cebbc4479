package import Foundation
import MediaCore
package import NIOCore
package import Presentation

extension PeerHealth {
    /// - Throws: `DecodingError` if it is not such a document.
    package init(json: some DataProtocol) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json))
    }

    /// - Throws: The error of `JSONEncoder`.
    package func json() throws -> ByteBuffer {
        ByteBuffer(bytes: try JSONEncoder.canonical.encode(self))
    }
}
