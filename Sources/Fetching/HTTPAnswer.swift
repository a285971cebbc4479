package import NIOCore
package import NIOHTTP1

/// A server's answer, whatever its status.
package struct HTTPAnswer: Sendable {
    package var status: Int
    package var fields: HTTPHeaders
    package var body: ByteBuffer
}
