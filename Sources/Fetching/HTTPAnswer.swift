package import NIOCore
package import NIOHTTP1

/// What a server has answered, whatever it is.
package struct HTTPAnswer: Sendable {
    package var status: Int
    package var fields: HTTPHeaders
    package var body: ByteBuffer
}
