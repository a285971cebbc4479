import Archive
import Channels
import Foundation
import Logging
import MediaCore
import Operations
import Origin
import PackagerConfig
import Synchronization
import TestSupport
import Testing

@testable import Hosting
@testable import Presentation

/// Channels come and go while others are served.
@Suite(.serialized, .enabled(if: Extent.isWhole), .timeLimit(.minutes(5))) struct ComingAndGoingTests {
    /// The host that the process itself uses, and its origin.
    private struct Stage {
        let host: ChannelHost
        /// The number of channels that had something open, as the host told.
        let counts: @Sendable () -> [Int]
        let url: String
        let folder: String

        /// A feed of a name of its own, so that what has it open can be told.
        func channel(_ name: String, _ flags: [String: [String]] = [:]) throws -> ChannelConfiguration {
            let feed = "\(folder)/\(name).ts"
            if !FileManager.default.fileExists(atPath: feed) {
                try FileManager.default.copyItem(atPath: Repository.smallFeed, toPath: feed)
            }
            let common = [
                "name": [name], "input": [feed], "loop": [], "segment-duration": ["1"], "window": ["10"],
                "state": ["\(folder)/state"],
            ]
            return try Configuration.load(flags: common.merging(flags) { $1 }).channels[0]
        }

        func get(_ path: String) async throws -> HTTP.Answer { try await HTTP.get("\(url)/\(path)") }

        func add(_ name: String, _ flags: [String: [String]] = [:]) async throws {
            try await host.add([try channel(name, flags)])
        }

        /// The name of the newest segment of a channel's video.
        func newest(_ name: String) async throws -> String? {
            let answer = try await get("\(name)/video-180p.m3u8")
            guard answer.status == 200 else { return nil }
            return answer.text.split(separator: "\n").last { !$0.hasPrefix("#") }.map(String.init)
        }
    }

    /// Tells if anything of a channel is left once nothing refers to it.
    private struct Remains: Sendable {
        private let isGone: [@Sendable () -> Bool]

        init(_ hosted: HostedChannel) {
            isGone = [
                { [weak channel = hosted.service.channel] in channel == nil },
                { [weak presentation = hosted.origin.presentation] in presentation == nil },
                { [weak journal = hosted.service.journal] in journal == nil },
                { [weak endpoint = hosted.origin.endpoint] in endpoint == nil },
            ]
        }

        var isEmpty: Bool { isGone.allSatisfy { $0() } }
    }

    private static func withStage(_ body: (Stage) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hosted-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let clock = SystemClock()
        let counts = Mutex<[Int]>([])
        let host = ChannelHost(ChannelAssembly(clock: clock, events: EventLog(), logger: logger)) { count in
            counts.withLock { $0.append(count) }
        }
        let listening = AsyncStream<Int>.makeStream()
        let origin = OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: host.registry,
            now: { clock.now },
            logger: logger,
            onRunning: { listening.continuation.yield($0) }
        )
        let running = Task { try await host.run() }
        let serving = Task { try await origin.run() }
        var ports = listening.stream.makeAsyncIterator()
        let port = try #require(await ports.next())
        do {
            try await body(
                Stage(host: host, counts: { counts.withLock { $0 } }, url: "http://127.0.0.1:\(port)", folder: folder)
            )
        } catch {
            Issue.record(error)
        }
        host.stop()
        try await running.value
        serving.cancel()
        try? await serving.value
    }

    private static func hosted(_ name: String, _ stage: Stage) -> HostedChannel? { stage.host.registry[name[...]] }

    private static func remains(_ name: String, _ stage: Stage) throws -> Remains {
        Remains(try #require(hosted(name, stage)))
    }

    /// Files and directories of a channel that the process has open, by path.
    private static func open(_ prefix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.hasPrefix(prefix) }
    }

    /// Threads that read feeds.
    private static func readers() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return names.count { name in
            (try? String(contentsOfFile: "/proc/self/task/\(name)/comm", encoding: .utf8)) == "input\n"
        }
    }

    /// A viewer who watches a channel all the time.
    private final class Viewer: Sendable {
        struct Record {
            var requests = 0
            var failures: [String] = []
            /// Segments in the order in which they appeared: when the playlist was asked for last that did not have it yet, when
            /// one had it, and its bytes.
            var segments: [(name: String, absent: ContinuousClock.Instant, at: ContinuousClock.Instant, body: Data)] =
                []
        }
        let record = Mutex(Record())
        let isGone = Atomic(false)

        func watch(_ channel: String, _ stage: Stage) async {
            var absent = ContinuousClock.now
            while !isGone.load(ordering: .relaxed) {
                for path in [
                    "channels.json", "\(channel)/index.m3u8", "\(channel)/video-180p.m3u8", "\(channel)/keys.json",
                ] {
                    await note(path, stage) { _ in }
                }
                let asked = ContinuousClock.now
                await note("\(channel)/video-180p.m3u8", stage) { answer in
                    let lines = answer.text.split(separator: "\n").map(String.init)
                    let isWhole = !answer.text.contains("#EXT-X-GAP") && !answer.text.contains("#EXT-X-DISCONTINUITY\n")
                    if !isWhole { record.withLock { $0.failures.append(answer.text) } }
                    // Where he was held up, several are new.
                    let names = lines.filter { !$0.hasPrefix("#") }
                    let seen = record.withLock { $0.segments.last?.name }
                    let unseen =
                        seen.flatMap(names.lastIndex(of:)).map { names.suffix(from: $0 + 1) } ?? names.suffix(1)
                    let (now, since) = (ContinuousClock.now, absent)
                    for name in unseen {
                        await note("\(channel)/\(name)", stage) { answer in
                            record.withLock { $0.segments.append((name, since, now, answer.body)) }
                        }
                    }
                }
                absent = asked
                // Somebody who asks far more often than there is anything new.
                try? await Task.sleep(for: .milliseconds(20))
            }
        }

        private func note(_ path: String, _ stage: Stage, _ then: (HTTP.Answer) async -> Void) async {
            do {
                let answer = try await stage.get(path)
                record.withLock { record in
                    record.requests += 1
                    if answer.status != 200 { record.failures.append("\(path): \(answer.status)") }
                }
                await then(answer)
            } catch {
                record.withLock { $0.failures.append("\(path): \(error)") }
            }
        }
    }

    @Test func oneThatComesAndGoesLeavesNothingAndDisturbsNobody() async throws {
        try await Self.withStage { stage in
            try await stage.add("b", ["encryption": ["sample-aes"]])
            _ = try await eventually(within: 30, "b") { try await stage.newest("b") }
            let viewer = Viewer()
            let watching = Task { await viewer.watch("b", stage) }
            let gauge = LatenessGauge()
            for round in 0..<50 {
                let output = ["output": ["\(stage.folder)/a-out"], "output-keys": ["\(stage.folder)/a-keys"]]
                try await stage.add("a", output.merging(["encryption": ["aes-128"]]) { $1 })
                let remains = try Self.remains("a", stage)
                if round % 25 == 24 {
                    _ = try await eventually(within: 30, "a") { try await stage.newest("a") }
                } else {
                    // It has only just opened its feed.
                    _ = try await eventually(within: 10, "a reads") { Self.readers() == 2 ? true : nil }
                }
                #expect(await stage.host.remove("a", ends: round.isMultiple(of: 2)))
                #expect(try await stage.get("a/index.m3u8").status == 404)
                #expect(try await stage.get("channels.json").text == "{\"channels\":[\"b\"]}\n")
                _ = try await eventually(within: 10, "nothing is left of round \(round)") {
                    remains.isEmpty && Self.open("\(stage.folder)/a").isEmpty
                        && Self.open("\(stage.folder)/state/a").isEmpty ? true : nil
                }
            }
            viewer.isGone.store(true, ordering: .relaxed)
            await watching.value
            _ = try await eventually(within: 10, "the reader of b alone is left") {
                Self.readers() == 1 ? true : nil
            }
            let record = viewer.record.withLock { $0 }
            #expect(record.failures.isEmpty)
            #expect(record.requests > 500)
            let numbers = record.segments.compactMap { Int($0.name.split { "./".contains($0) }.dropLast().last ?? "") }
            #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + record.segments.count))
            // RFC 8216bis § 6.2.2: no more than 1.5 target durations after the one before. The next one was still absent so
            // long after that one was seen; what the machine kept everybody waiting is no fault of the channel's.
            let late = zip(record.segments, record.segments.dropFirst()).map { $1.absent - $0.at }
            print("absent for \(late.max() ?? .zero) at most, threads up to \(gauge.worstLateness) late")
            #expect(late.allSatisfy { $0 < .milliseconds(1500) + gauge.worstLateness }, "\(late)")
            for segment in record.segments.suffix(5) {
                #expect(try await stage.get("b/\(segment.name)").body == segment.body)
            }
        }
    }

    @Test func whatIsDecidedIsPublishedAndEndsOrGoesOn() async throws {
        try await Self.withStage { stage in
            let output = "\(stage.folder)/out"
            func playlist() throws -> String {
                try String(contentsOfFile: "\(output)/video-180p.m3u8", encoding: .utf8)
            }
            try await stage.add("a", ["output": [output]])
            let first = try await eventually(within: 30, "a") { try await stage.newest("a") }
            #expect(await stage.host.remove("a", ends: false))
            #expect(try playlist().contains(first))
            #expect(!(try playlist().contains("#EXT-X-ENDLIST")))
            // It continues from its journal.
            try await stage.add("a", ["output": [output]])
            let answer = try await stage.get("a/video-180p.m3u8")
            #expect(answer.text.contains(first))
            #expect(await stage.host.remove("a", ends: true))
            let text = try playlist()
            #expect(text.hasSuffix("#EXT-X-ENDLIST\n"))
        }
    }

    @Test func whoWaitsForAChannelThatGoesIsTold() async throws {
        try await Self.withStage { stage in
            try await stage.add("a", ["segment-duration": ["6"], "window": ["60"]])
            async let answer = stage.get("a/index.m3u8")
            let presentation = try #require(Self.hosted("a", stage)).origin.presentation
            _ = try await eventually(within: 10, "it waits") { presentation.waiters.count > 0 ? true : nil }
            let begun = ContinuousClock.now
            #expect(await stage.host.remove("a", ends: false))
            #expect(try await answer.status == 404)
            // It would wait for 15 s if nobody told it.
            #expect(ContinuousClock.now - begun < .seconds(10))
        }
    }

    /// The connection of an encoder outlives the channels that have had it, and keeps none of them.
    @Test func oneThatChangesLeavesNothingWhileItsEncoderStaysConnected() async throws {
        try await Self.withStage { stage in
            let url = "rtmp://127.0.0.1:\(Ports.free())/live/secret"
            func configuration(window: Int) throws -> Configuration {
                try Configuration.load(flags: [
                    "name": ["a"], "input": [url], "segment-duration": ["1"], "window": ["\(window)"],
                ])
            }
            var running = try configuration(window: 10)
            try await stage.host.add(running.channels)
            let sender = try FeedSender(to: ["-map", "-0:a:1", "-f", "flv", url])
            for window in [12, 10] {
                _ = try await eventually(within: 30, "segments") {
                    try await stage.get("a/video-360p.m3u8").text.contains("#EXTINF") ? true : nil
                }
                let remains = try Self.remains("a", stage)
                let wanted = try configuration(window: window)
                try await stage.host.apply(ConfigurationChange(from: running, to: wanted))
                running = wanted
                _ = try await eventually(within: 20, "nothing refers to the channel before") {
                    remains.isEmpty ? true : nil
                }
            }
            #expect(sender.program.isRunning)
            sender.program.kill()
        }
    }

    /// A change that can be neither made nor undone says both reasons, and the channel that it has changed stays on air.
    @Test func aChangeThatCannotBeUndoneSaysBothReasons() async throws {
        try await Self.withStage { stage in
            var running = try Configuration.load(flags: ["input": [Repository.smallFeed]])
            running.channels = [try stage.channel("a")]
            try await stage.host.add(running.channels)
            _ = try await eventually(within: 30, "segments") { try await stage.newest("a") }
            let changed = try stage.channel("a", ["state": ["\(stage.folder)/other"], "window": ["12"]])
            var wanted = running
            wanted.channels = [changed, try stage.channel("b")]
            // Files are where the directories of a, as it was, and of b are to be.
            let blocked = ["a", "b"].map { "\(stage.folder)/state/\($0)" }
            try FileManager.default.removeItem(atPath: blocked[0])
            for path in blocked { try Data().write(to: URL(filePath: path)) }
            await #expect {
                try await stage.host.apply(ConfigurationChange(from: running, to: wanted))
            } throws: { error in
                blocked.allSatisfy { "\(error)".contains($0) }
            }
            #expect(stage.host.registry.names == ["a"])
            let last = try await eventually(within: 30, "segments") { try await stage.newest("a") }
            _ = try await eventually(within: 30, "more of them") {
                let newest = try await stage.newest("a")
                return newest != last ? newest : nil
            }
        }
    }

    @Test func whatCannotBeAddedChangesNothing() async throws {
        try await Self.withStage { stage in
            try await stage.add("a")
            let remains = try Self.remains("a", stage)
            let again = try stage.channel("a")
            var broken = try stage.channel("b")
            broken.inputs = [FeedLocation("\(stage.folder)/none.ts")]
            var other = try stage.channel("c")
            other.state = "/proc/none"
            await #expect {
                try await stage.host.add([again])
            } throws: {
                "\($0)" == "channel a: this name is in use, or was until a moment ago"
            }
            let both = [broken, other]
            await #expect {
                try await stage.host.add(both)
            } throws: { error in
                "\(error)".contains("none.ts is not a file") && "\(error)".contains("state of channel c")
            }
            #expect(!remains.isEmpty)
            #expect(stage.host.registry.names == ["a"])
            #expect(await !stage.host.remove("b", ends: false))
            // Nothing of them has stayed.
            try await stage.add("b")
            #expect(stage.host.registry.names == ["a", "b"])
        }
    }

    @Test func twoNeverWriteToOneDirectory() async throws {
        try await Self.withStage { stage in
            let output = "\(stage.folder)/out"
            try await stage.add("a", ["output": [output]])
            let other = try stage.channel("b", ["output": ["\(stage.folder)/./out/"]])
            await #expect {
                try await stage.host.add([other])
            } throws: {
                "\($0)" == "channel b: another channel writes to '\(stage.folder)/./out/' too (channel a); "
                    + "each needs its own"
            }
            #expect(stage.counts() == [1])
            #expect(await stage.host.remove("a", ends: false))
            try await stage.host.add([other])
            #expect(stage.host.registry.names == ["b"])
            #expect(stage.counts() == [1, 0, 1])
        }
    }

    /// They share one reader, since its socket can be opened only once.
    @Test func aProgramOfASharedFeedGoesAndTheOthersStay() async throws {
        try await Self.withStage { stage in
            let port = Ports.free(datagram: true)
            let feed = "udp://127.0.0.1:\(port)"
            let channels = try Configuration.load(
                flags: [
                    "name": ["s"], "input": [feed], "program": ["10", "20"], "segment-duration": ["1"],
                    "window": ["10"],
                ]
            ).channels
            try await stage.host.add(channels)
            _ = try await eventually(within: 10, "the feed is open") { Ports.isBound(port) ? true : nil }
            let remains = try Self.remains("s-10", stage)
            #expect(await stage.host.remove("s-10", ends: false))
            _ = try await eventually(within: 10, "s-10 is gone") { remains.isEmpty ? true : nil }
            #expect(Ports.isBound(port))
            let last = try Self.remains("s-20", stage)
            #expect(await stage.host.remove("s-20", ends: false))
            _ = try await eventually(within: 10, "s-20 is gone") { last.isEmpty ? true : nil }
            _ = try await eventually(within: 10, "the feed is closed") { Ports.isBound(port) ? nil : true }
            try await stage.host.add(channels)
            #expect(stage.host.registry.names == ["s-10", "s-20"])
        }
    }
}
