import Conformance
import NIOCore
import Synchronization

@testable import Fetching

/// Resources by URL, in memory; what is not there answers 404.
final class MemoryOrigin: Fetcher {
    private let resources = Mutex<[String: ByteBuffer]>([:])

    subscript(url: String) -> ByteBuffer? {
        get { resources.withLock { $0[url] } }
        set { resources.withLock { $0[url] = newValue } }
    }

    func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
        guard let body = self[url] else { throw .status(404) }
        return FetchedResource(url: url, body: body)
    }
}
