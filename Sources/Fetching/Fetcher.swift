/// Gets resources from an origin: over the network, or out of a test's memory.
package protocol Fetcher: Sendable {
    /// Fetches a whole resource.
    ///
    /// - Parameter url: Absolute.
    /// - Returns: The body, and its URL after redirects.
    /// - Throws: ``FetchError`` for everything but a complete answer with status 200.
    func fetch(_ url: String) async throws(FetchError) -> FetchedResource
}
