/// A source of advertisements for breaks; it may be slow, and may never answer.
package protocol AdSource: Sendable {
    /// - Throws: The reason why there is nothing to play, in words.
    func assets(for adBreak: AdBreak) async throws -> AssetList
}

/// The reason why there is nothing to play in a break.
package struct AdSourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text follows the name of the server.
    package var description: String

    package init(_ description: String) { self.description = description }
}
