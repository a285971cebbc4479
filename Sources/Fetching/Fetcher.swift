/// Gets resources from an origin: over the network, or out of a test's memory.
package protocol Fetcher: Sendable {
    /// Gets a resource whole.
    ///
    /// - Parameter url: Absolute.
    /// - Returns: The body, and where it was found.
    /// - Throws: ``FetchError`` for everything but a complete answer with status 200.
    func fetch(_ url: String) async throws(FetchError) -> FetchedResource
}
