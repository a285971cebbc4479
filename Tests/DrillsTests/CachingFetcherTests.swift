import MediaCore
import NIOCore
import Synchronization
import Testing

@testable import Drills
@testable import Fetching

struct CachingFetcherTests {
    /// Answers with the number of the request.
    private final class Origin: Fetcher {
        let asked = Mutex<[String]>([])
        /// Runs before each answer.
        let meanwhile: @Sendable () -> Void

        init(meanwhile: @escaping @Sendable () -> Void = {}) {
            self.meanwhile = meanwhile
        }

        func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
            let count = asked.withLock { asked in
                asked.append(url)
                return asked.count
            }
            meanwhile()
            return FetchedResource(url: url, body: ByteBuffer(string: "\(count)"))
        }
    }

    /// Milliseconds.
    private final class Time: Sendable {
        let now = Mutex(0)

        func pass(_ milliseconds: Int) { now.withLock { $0 += milliseconds } }
    }

    private static let playlist = "http://a:1/live/video.m3u8?x=1"
    private static let segment = "http://a:1/live/video/7.m4s"

    private let cache = EdgeCache(playlistLifetime: MediaTime(milliseconds: 1_500))
    private let time = Time()

    private func fetcher(_ origin: Origin) -> CachingFetcher {
        CachingFetcher(cache, through: origin) { [time] in time.now.withLock { $0 } }
    }

    @Test func mediaIsFetchedOnceAndAPlaylistNowAndThen() async throws {
        let origin = Origin()
        let fetcher = fetcher(origin)
        for _ in 0..<3 {
            _ = try await fetcher.fetch(Self.segment)
            _ = try await fetcher.fetch(Self.playlist)
            time.pass(700)
        }
        #expect(origin.asked.withLock { $0 } == [Self.segment, Self.playlist])
        #expect(try await fetcher.fetch(Self.segment).text == "1")
        #expect(try await fetcher.fetch(Self.playlist).text == "3")
    }

    @Test func theCacheThatTakesThePlaceOfAnotherBeginsEmpty() async throws {
        let fetcher = fetcher(Origin())
        #expect(try await fetcher.fetch(Self.segment).text == "1")
        cache.kill()
        await #expect(throws: FetchError.connection("there is no cache")) { _ = try await fetcher.fetch(Self.segment) }
        cache.replace()
        #expect(try await fetcher.fetch(Self.segment).text == "2")
        #expect(try await fetcher.fetch(Self.segment).text == "2")
    }

    /// Its answer does not reach the cache that takes its place either.
    @Test func aRequestIsLostWithTheCacheThatSentIt() async throws {
        let origin = Origin { [cache] in
            cache.kill()
            cache.replace()
        }
        let fetcher = fetcher(origin)
        for _ in 0..<2 {
            await #expect(throws: FetchError.connection("the cache was killed")) {
                _ = try await fetcher.fetch(Self.segment)
            }
        }
        #expect(origin.asked.withLock { $0.count } == 2)
    }
}
