/// The properties of a connection that answers depend on.
package struct ServedConnection: Sendable {
    /// The place of the connection.
    package var pass: ConnectionGate.Pass
    /// True if it is encrypted.
    package var isSecure: Bool
    /// Serial number, in hexadecimal digits, of the client's certificate, which an authority that the server trusts has
    /// signed.
    package var clientCertificate: String?
}
