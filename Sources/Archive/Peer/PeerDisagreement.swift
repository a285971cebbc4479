/// A peer that is configured so that it publishes other bytes.
package struct PeerDisagreement: Error, Hashable, CustomStringConvertible {
    package var channel: String
    /// The URL of the peer.
    package var url: String
    /// The differences, in one phrase each.
    package var differences: [String]

    package var description: String { "peer of channel \(channel), \(url): \(differences.joined(separator: "; "))" }
}
