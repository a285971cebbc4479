package import NIOCore

/// The properties of a connection that answers depend on.
package struct ServedConnection: Sendable {
    package enum Kind: Sendable {
        /// A connection of HTTP/1.1.
        case connection
        /// One of the streams of a connection of HTTP/2, for one request, and the turns that they take at what is costly.
        case stream(NIOLoopBound<StreamTurns>)
    }

    package var kind: Kind
    /// The place of the connection.
    package var pass: ConnectionGate.Pass
    /// True if it is encrypted.
    package var isSecure: Bool
    /// Serial number, in hexadecimal digits, of the client's certificate, which an authority that the server trusts has
    /// signed.
    package var clientCertificate: String?
}
