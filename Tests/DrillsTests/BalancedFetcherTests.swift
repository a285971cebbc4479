import NIOCore
import Synchronization
import Testing

@testable import Drills
@testable import Fetching

struct BalancedFetcherTests {
    /// Answers with the URL that was asked for; members can be down.
    private final class Members: Fetcher {
        let asked = Mutex<[String]>([])
        let down: Set<String>

        init(down: Set<String> = []) {
            self.down = down
        }

        func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
            asked.withLock { $0.append(url) }
            if down.contains(where: { url.hasPrefix($0) }) { throw .connection("refused") }
            return FetchedResource(url: url, body: ByteBuffer(string: url))
        }
    }

    private static let members = ["http://a:1", "http://b:2"]

    @Test func everyMemberIsAskedAndThePlayerKnowsOne() async throws {
        let members = Members()
        let fetcher = BalancedFetcher(Self.members, through: members)
        for _ in 0..<40 {
            let resource = try await fetcher.fetch("http://a:1/live/index.m3u8")
            #expect(resource.url == "http://a:1/live/index.m3u8")
        }
        let asked = Set(members.asked.withLock { $0 })
        #expect(asked == ["http://a:1/live/index.m3u8", "http://b:2/live/index.m3u8"])
    }

    @Test(arguments: members)
    func whereOneFailsTheOtherAnswers(down: String) async throws {
        let fetcher = BalancedFetcher(Self.members, through: Members(down: [down]))
        for _ in 0..<20 { _ = try await fetcher.fetch("http://a:1/live/index.m3u8") }
    }

    @Test func aMemberThatHasFailedIsAskedLastForAWhile() async throws {
        let members = Members(down: ["http://b:2"])
        let fetcher = BalancedFetcher(Self.members, through: members)
        // Until it is asked first, which one of two is sooner or later.
        while !members.asked.withLock({ $0.contains { $0.hasPrefix("http://b:2") } }) {
            _ = try await fetcher.fetch("http://a:1/x")
        }
        members.asked.withLock { $0 = [] }
        for _ in 0..<10 { _ = try await fetcher.fetch("http://a:1/x") }
        #expect(members.asked.withLock { $0 } == Array(repeating: "http://a:1/x", count: 10))
    }

    @Test func whereAllFailSoDoesIt() async {
        let fetcher = BalancedFetcher(Self.members, through: Members(down: Set(Self.members)))
        await #expect(throws: FetchError.connection("refused")) { _ = try await fetcher.fetch("http://a:1/x") }
    }

    @Test func whatIsElsewhereIsLeftAlone() async throws {
        let members = Members()
        _ = try await BalancedFetcher(Self.members, through: members).fetch("http://keys/1")
        #expect(members.asked.withLock { $0 } == ["http://keys/1"])
    }
}
