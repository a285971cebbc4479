import Fetching
import Foundation
import MediaCore
import NIOCore
import Playlists
import Synchronization
import TestSupport
import Testing

@testable import AdSources

/// Sources that answer, fail, and never answer.
@Suite struct AdDecisionsTests {
    /// Answers what it is told to, and counts.
    private final class Source: AdSource {
        let asked = Mutex<[String]>([])
        let answer: @Sendable (AdBreak) async throws -> AssetList

        init(_ answer: @escaping @Sendable (AdBreak) async throws -> AssetList) { self.answer = answer }

        func assets(for adBreak: AdBreak) async throws -> AssetList {
            asked.withLock { $0.append(adBreak.id) }
            return try await answer(adBreak)
        }
    }

    private struct Nowhere: Fetcher {
        func fetch(_ url: String) async throws(FetchError) -> FetchedResource { throw .invalidURL(url) }
    }

    private static func adBreak(_ id: String = "7-ad") -> AdBreak {
        AdBreak(id: id, channel: "live", start: MediaTime(seconds: 1_800_000_000), duration: MediaTime(seconds: 30))
    }

    private static let list = AssetList([.init(uri: "https://a/b.m3u8", seconds: 30)])

    @Test func allViewersShareAnAnswer() async {
        let source = Source { _ in Self.list }
        let decisions = AdDecisions(source, timeout: .seconds(60))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { #expect(await decisions.answer(for: Self.adBreak()) == .assets(Self.list)) }
            }
        }
        #expect(await decisions.answer(for: Self.adBreak("8-ad")) == .assets(Self.list))
        #expect(source.asked.withLock { $0 } == ["7-ad", "8-ad"])
    }

    @Test func whoNeverAnswersIsNotWaitedFor() async {
        let problems = Mutex<[String]>([])
        let held = AsyncStream.makeStream(of: Void.self)
        let source = Source { _ in
            // It does not heed its cancellation.
            await Task { for await _ in held.stream {} }.value
            return Self.list
        }
        let start = ContinuousClock.now
        let seconds = Mutex(0)
        let now: @Sendable () -> ContinuousClock.Instant = { start + .seconds(seconds.withLock { $0 }) }
        let decisions = AdDecisions(
            source,
            timeout: .milliseconds(50),
            onProblem: { adBreak, reason in problems.withLock { $0.append("\(adBreak.id): \(reason)") } },
            now: now
        )
        // It is left alone for ten seconds.
        for (time, count) in [(0, 1), (4, 1), (9, 1), (10, 2), (15, 2)] {
            seconds.withLock { $0 = time }
            #expect(await decisions.answer(for: Self.adBreak()) == .nothing("it has not answered in time"))
            #expect(problems.withLock { $0 } == Array(repeating: "7-ad: it has not answered in time", count: count))
        }
        held.continuation.finish()
    }

    /// Thousands of breaks are no reason to run thousands of programs.
    @Test func fewAreAskedForAtOnce() async {
        let held = AsyncStream.makeStream(of: Void.self)
        let source = Source { _ in
            await Task { for await _ in held.stream {} }.value
            return Self.list
        }
        let decisions = AdDecisions(source, timeout: .seconds(600))
        let waiting = (0..<16).map { number in Task { await decisions.answer(for: Self.adBreak("\(number)-ad")) } }
        while source.asked.withLock({ $0.count }) < 16 { await Task.yield() }
        let refusal = AdDecisions.Answer.nothing("too many requests for breaks at once")
        #expect(await decisions.answer(for: Self.adBreak("more-ad")) == refusal)
        held.continuation.finish()
        for task in waiting { #expect(await task.value == .assets(Self.list)) }
        #expect(await decisions.answer(for: Self.adBreak("more-ad")) == .assets(Self.list))
    }

    // MARK: Programs

    private static func command(_ script: String) throws -> (AdCommand, TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        return (
            AdCommand(["sh", try directory.write(script, to: "ads.sh")], fetcher: Nowhere(), reach: AdReach()),
            directory
        )
    }

    @Test func aProgramIsToldTheBreak() async throws {
        let script = """
            read line
            printf '{"ASSETS":[{"URI":"https://a/%s","DURATION":30}],"SKIP-CONTROL":{"OFFSET":3}}' \
            "$(printf %s "$line" | base64 -w0)"
            """
        let (command, directory) = try Self.command(script)
        var adBreak = Self.adBreak()
        adBreak.splice = [.eventID: "7", .type: "", .upid: "urn:x"]
        let list = try await command.assets(for: adBreak)
        let told = try #require(list.assets.first?.uri.dropFirst("https://a/".count))
        let data = try #require(Data(base64Encoded: String(told)))
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"{"channel":"live","duration":30,"event-id":"7","id":"7-ad","start":"2027-01-15T08:00:00.000Z","upid":"urn:x"}"#
        )
        #expect(list.skipControl?.offset == 3)
        withExtendedLifetime(directory) {}
    }

    @Test(arguments: [
        ("echo no money >&2; exit 3", "it failed: no money"), ("echo hello", "it is not JSON"),
        ("yes noise | head -c 100000 >&2; echo >&2; echo no money >&2; exit 3", "it failed: no money"),
        ("true", "it is not JSON"),
        ("echo '{}'", "there is no ASSETS"), (#"echo '{"ASSETS":[{"URI":"a.m3u8","DURATION":3}]}'"#, "not an absolute"),
        (#"echo '{"ASSETS":[{"URI":"https://a/b","DURATION":-3}]}'"#, "is not how long"),
        (#"echo '{"ASSETS":[{"URI":"https://a/b","DURATION":"3"}]}'"#, "DURATION is of another type"),
        ("echo '<VAST/'", "not well-formed"), ("yes | head -c 3000000", ""),
    ])
    func whatAProgramGetsWrongIsNamed(script: String, reason: String) async throws {
        let (command, directory) = try Self.command(script)
        let error = await #expect(throws: (any Error).self) { try await command.assets(for: Self.adBreak()) }
        #expect(reason.isEmpty || "\(error!)".contains(reason), "\(String(describing: error))")
        withExtendedLifetime(directory) {}
    }

    @Test func aProgramMaySayMuchOfItsWork() async throws {
        let (command, directory) = try Self.command(
            #"yes noise | head -c 100000 >&2; echo '{"ASSETS":[{"URI":"https://a/b","DURATION":3}]}'"#
        )
        #expect(try await command.assets(for: Self.adBreak()).assets.map(\.uri) == ["https://a/b"])
        withExtendedLifetime(directory) {}
    }

    /// A process that the program has started holds nobody up either.
    @Test func aProgramThatHangsIsEnded() async throws {
        let directory = try TemporaryDirectory()
        let marker = directory.file("pid")
        let script = try directory.write("sleep 1000 & echo $! > \(marker)\nwait\n", to: "ads.sh")
        let question = Task {
            try await AdCommand(["sh", script], fetcher: Nowhere(), reach: AdReach()).assets(for: Self.adBreak())
        }
        let pid = try await eventually(within: 60, "the program has a child") {
            (try? String(contentsOfFile: marker, encoding: .utf8)).flatMap { Int32($0.dropLast()) }
        }
        // As ``AdDecisions`` does when its time is over.
        question.cancel()
        await #expect(throws: (any Error).self) { try await question.value }
        _ = try await eventually(within: 20, "the program's child ends") { kill(pid, 0) != 0 ? true : nil }
    }

    // MARK: Breaks

    @Test func onlyWhatAPlaylistTellsIsABreak() throws {
        var told = DateRange(id: "7-ad", start: MediaTime(seconds: 1_800_000_000))
        told.className = DateRange.interstitialClass
        told.custom = [
            .init(name: "X-ASSET-LIST", value: .string("ads/7-ad.json?event-id=7&type=30&upid=urn%3Ax&id=no"))
        ]
        var end = told
        (end.duration, end.custom) = (MediaTime(seconds: 12), [])
        var other = told
        (other.id, other.className) = ("8-ad", "com.example")
        let adBreak = try #require(AdBreak("7-ad", of: "live", in: [told, end, other]))
        #expect(
            adBreak.fields == [
                .id: "7-ad", .channel: "live", .eventID: "7", .type: "30", .upid: "urn:x", .duration: "12",
                .start: "2027-01-15T08:00:00.000Z",
            ]
        )
        #expect(AdBreak("8-ad", of: "live", in: [told, end, other]) == nil)
        #expect(AdBreak("9-ad", of: "live", in: [told]) == nil)
    }
}
