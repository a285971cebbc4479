import Dispatch
import Fetching
import Files
import Foundation
import MediaCore
import Synchronization
import Testing
import TimedText

@testable import SubtitleSources

/// A file or URL that is read every second.
@Suite(.timeLimit(.minutes(5))) struct SubtitleReaderTests {
    private struct Nowhere: Fetcher {
        func fetch(_ url: String) async throws(FetchError) -> FetchedResource { throw .invalidURL(url) }
    }

    private struct StoppedClock: UTCClock {
        var now: MediaTime { MediaTime(seconds: 1_795_000_000) }
    }

    private static func reader(
        contents: @escaping @Sendable (String, Int) throws -> [UInt8]
    ) -> SubtitleReader {
        let clock = StoppedClock()
        return SubtitleReader("a.vtt", origin: .utc(clock.now), fetcher: Nowhere(), clock: clock, contents: contents)
    }

    /// The tasks of the process share as many threads as it has cores.
    @Test func aDiskThatHangsHoldsUpNoOtherTask() async {
        let disk = DispatchSemaphore(value: 0)
        let (reads, begin) = AsyncStream<Void>.makeStream()
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount
        let readers = (0..<count).map { _ in
            Task {
                await Self.reader { _, _ in
                    begin.yield()
                    disk.wait()
                    return []
                }.run(onCues: { _ in }, onCondition: { _ in })
            }
        }
        for await _ in reads.prefix(count) {}
        #expect(await Task { true }.value)
        for reader in readers { reader.cancel() }
        for reader in readers { await reader.value }
        for _ in readers { disk.signal() }
    }

    @Test func aFaultyCueIsLeftOutAndAMissingFileReported() async {
        let text = "WEBVTT\n\n00:01.000 --> 00:02.000\none\n\n00:04.000 --> 00:03.000\ntwo\n\n"
        let files = Mutex<[[UInt8]?]>([nil, Array(text.utf8)])
        let conditions = Mutex<[SubtitleReader.Condition]>([])
        let cues = Mutex<[String]>([])
        let (changes, change) = AsyncStream<Void>.makeStream()
        let task = Task {
            await Self.reader { path, _ in
                let file = files.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
                guard let file else { throw FileError(operation: "open", path: path, code: ENOENT) }
                return file
            }.run { new in
                cues.withLock { $0 += new.map(\.content.text) }
            } onCondition: { condition in
                conditions.withLock { $0.append(condition) }
                change.yield()
            }
        }
        for await _ in changes.prefix(3) {}
        task.cancel()
        await task.value
        #expect(cues.withLock { $0 } == ["one"])
        #expect(
            conditions.withLock { $0 } == [
                .unreadable("there is no such file"), .incomplete("line 6: a cue ends before it starts"), .readable,
            ]
        )
    }
}
