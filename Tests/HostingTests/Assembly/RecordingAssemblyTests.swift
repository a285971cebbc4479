import Archive
import Control
import Foundation
import MediaCore
import NIOCore
import Operations
import Origin
import PackagerConfig
import Presentation
import Recording
import TestSupport
import Testing

@testable import Hosting

/// A channel that is recorded: what writes, what is written once, and what the next one finds.
@Suite(.timeLimit(.minutes(5))) struct RecordingAssemblyTests {
    private let stage: RecordedStage

    init() throws {
        stage = try RecordedStage()
    }

    private func components(_ settings: ChannelConfiguration) async throws -> ChannelComponents {
        try stage.assembly.components(of: settings, await ChannelResources(for: settings, stage.assembly)).0
    }

    @Test func nothingIsRecordedUnlessItIsAskedFor() async throws {
        let channel = try await components(try Stage.channel("a", ["state": [stage.state]]))
        #expect(channel.storage.recorder == nil && channel.storage.consumers.map(\.name) == ["journal"])
        #expect(stage.assembly.operation(of: channel).recording == nil)
        channel.storage.journal?.close()
    }

    @Test func aJournalDrivesTheRecorder() async throws {
        let channel = try await components(try stage.settings())
        let (journal, recorder) = (try #require(channel.storage.journal), try #require(channel.storage.recorder))
        #expect(channel.storage.consumers.map(\.name) == ["journal"])
        #expect(channel.storage.store as? Journal === journal)
        #expect(journal.interest.isSuperset(of: recorder.interest))
        recorder.keepsUp(.late)
        #expect(recorder.recording.statistics.late == 1 && !recorder.recording.health.isHealthy)
        #expect(stage.assembly.operation(of: channel).recording === recorder.recording)
        journal.close()
        recorder.recording.close()
    }

    @Test func withoutAJournalTheRecorderFollowsViewers() async throws {
        let channel = try await components(try stage.settings(hasState: false))
        let recorder = try #require(channel.storage.recorder)
        #expect(channel.storage.consumers.map(\.name) == ["recording"])
        #expect(channel.storage.store as? Recorder === recorder)
        guard case .follows = recorder.policy else {
            Issue.record("viewers wait for it")
            return
        }
        recorder.recording.close()
    }

    @Test func theOriginHasThePastOnItsTerms() async throws {
        let flags = ["time-delay": ["30"], "record-for": ["3600"]]
        for (encryption, hasKeys) in [("none", false), ("aes-128", true)] {
            let settings = try stage.settings(hasState: false, flags.merging(["encryption": [encryption]]) { $1 })
            let channel = try await components(settings)
            let past = try #require(stage.assembly.origin(of: channel).past)
            #expect(past.recording === channel.storage.recorder?.recording)
            #expect(past.delay == MediaTime(seconds: 30) && past.keeps == MediaTime(seconds: 3600))
            #expect((past.keys != nil) == hasKeys)
            past.recording.close()
        }
        let live = try await components(try Stage.channel("b", [:]))
        #expect(stage.assembly.origin(of: live).past == nil)
    }

    /// Each segment is written once, whoever wants to have it.
    @Test func segmentsAreInTheRecordingAlone() async throws {
        let start = stage.clock.now
        let first = try await stage.hosted(try stage.settings())
        try stage.publish(60, in: first)
        #expect(stage.segmentsOfJournal.isEmpty)
        try stage.expectRecorded(since: start, in: first)
        let status = first.operation.status(at: stage.clock.now).recording
        #expect(
            status
                == ChannelStatus.Recording(
                    isHealthy: true,
                    bytes: status?.bytes ?? 0,
                    start: Timestamp(start),
                    end: Timestamp(stage.clock.now)
                )
        )
        let window = first.origin.presentation.saved
        await first.runner.close(ends: false)
        // The next process: the window from the lines, its bytes from the recording.
        let second = try await stage.hosted(try stage.settings())
        #expect(second.origin.presentation.saved.numbers == window.numbers && window.numbers.count == 20)
        for number in window.numbers {
            #expect(try stage.body(number.value, of: second) == RecordedStage.text(number.value))
        }
        try stage.publish(5, in: second)
        try stage.expectRecorded(since: start, in: second)
        #expect(!stage.events.entries().contains { [.journal, .recording].contains($0.event.kind) })
        await second.runner.close(ends: false)
    }

    @Test func recordingOfAChannelWithoutStateGoesOn() async throws {
        let start = stage.clock.now
        let settings = try stage.settings(hasState: false)
        let first = try await stage.hosted(settings)
        try stage.publish(30, in: first)
        await first.runner.close(ends: false)
        let second = try await stage.hosted(settings)
        try stage.publish(30, in: second)
        try stage.expectRecorded(since: start, in: second)
        #expect(second.service.recorder?.recording.extent?.count == 60)
        await second.runner.close(ends: false)
    }

    /// Two processes would write into each other's blocks.
    @Test func recordingIsOfOneProcessAtATime() async throws {
        let settings = try stage.settings(hasState: false)
        let first = try await stage.hosted(settings)
        await #expect {
            _ = try await stage.hosted(settings)
        } throws: {
            ($0 as? SetupError)?.items.map(\.setting) == ["record"] && "\($0)".contains("in use")
        }
        await first.runner.close(ends: false)
        await (try await stage.hosted(settings)).runner.close(ends: false)
    }

    @Test(arguments: ["7", "13"]) func recordingOfAnotherGridIsRefused(duration: String) async throws {
        let first = try await stage.hosted(try stage.settings(hasState: false))
        try stage.publish(3, in: first)
        await first.runner.close(ends: false)
        let flags = ["segment-duration": [duration], "window": ["120"]]
        let settings = try stage.settings(hasState: false, flags)
        let problems = await stage.assembly.problems(of: [settings])
        #expect(
            problems.map(\.setting) == ["record"] && problems[0].message.contains("segment-duration"),
            "\(problems)"
        )
        await #expect {
            _ = try await stage.hosted(settings)
        } throws: {
            "\($0)".contains("segment-duration")
        }
    }

    /// The directory stays as it is.
    @Test func aDirectoryOfSomebodyElseIsFoundBeforehand() async throws {
        let directory = "\(stage.record)/a"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: "\(directory)/film.mp4"))
        let problems = await stage.assembly.problems(of: [try stage.settings()])
        #expect(problems.map(\.setting) == ["record"] && problems[0].message.contains("no recording"), "\(problems)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["film.mp4"])
    }

    /// A file that is none of its own, and a directory that is not to be followed.
    @Test(arguments: [true, false]) func aChannelStartsWithoutFinishedRecordings(isLink: Bool) async throws {
        let settings = try stage.settings(hasState: false)
        await (try await stage.hosted(settings)).runner.close(ends: false)
        let directory = "\(stage.record)/a/recordings"
        if isLink {
            let destination = stage.directory.file(".")
            try FileManager.default.createSymbolicLink(atPath: directory, withDestinationPath: destination)
        } else {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: "\(directory)/notes.txt"))
        }
        let second = try await stage.hosted(settings)
        let messages = stage.events.entries().map(\.event).filter { $0.kind == .recording }.map(\.message)
        #expect(messages.count == 1 && messages[0].contains(isLink ? directory : "notes.txt"), "\(messages)")
        await second.runner.close(ends: false)
    }

    // MARK: Reload

    /// The state directory of the channel has lines alone, and what takes its place does not look into the recording.
    @Test(arguments: [true, false]) func aReloadThatEndsOrMovesTheRecordingKeepsTheWindow(isMoved: Bool) async throws {
        let first = try await stage.hosted(try stage.settings())
        try stage.publish(30, in: first)
        let window = first.origin.presentation.saved
        await first.runner.close(ends: false)
        let flags = ["record": [stage.directory.file("elsewhere")]]
        let settings =
            isMoved ? try stage.settings(flags) : try Stage.channel("a", ["state": [stage.state], "window": ["20"]])
        let second = try await stage.hosted(settings, after: ChannelPredecessor(first, leavesDisk: true))
        #expect(second.origin.presentation.saved.numbers == window.numbers)
        #expect(messagesOfJournal.isEmpty, "\(messagesOfJournal)")
        try stage.publish(1, in: second)
        #expect(stage.segmentsOfJournal.isEmpty == isMoved)
        await second.runner.close(ends: false)
        // Each of them is found by the next process.
        let third = try await stage.hosted(settings)
        #expect(third.origin.presentation.saved.numbers == second.origin.presentation.saved.numbers)
        await third.runner.close(ends: false)
    }

    private var messagesOfJournal: [String] {
        stage.events.entries().map(\.event).filter { $0.kind == .journal }.map(\.message)
    }

    /// Nothing is lost to viewers if the channel continues with the window in memory.
    @Test(arguments: [true, false]) func whatAJournalLacksIsReportedIfItsWindowIsTaken(isInMemory: Bool) async throws {
        let settings = try Stage.channel("a", ["state": [stage.state], "window": ["20"]])
        let first = try await stage.hosted(settings)
        try stage.publish(30, in: first)
        await first.runner.close(ends: false)
        let segments = stage.segmentsOfJournal.sorted()
        try FileManager.default.removeItem(atPath: "\(stage.state)/\(segments[segments.count / 2])")
        let predecessor = isInMemory ? ChannelPredecessor(first, leavesDisk: true) : nil
        let second = try await stage.hosted(settings, after: predecessor)
        #expect(messagesOfJournal.count { $0.contains("missing or damaged") } == (isInMemory ? 0 : 1))
        #expect((second.origin.presentation.saved.numbers.count == 20) == isInMemory)
        await second.runner.close(ends: false)
    }

    @Test func aReloadThatBeginsTheRecordingKeepsTheWindowAndRecordsIt() async throws {
        let first = try await stage.hosted(try Stage.channel("a", ["state": [stage.state], "window": ["20"]]))
        try stage.publish(30, in: first)
        let window = first.origin.presentation.saved
        await first.runner.close(ends: false)
        let second = try await stage.hosted(try stage.settings(), after: ChannelPredecessor(first, leavesDisk: true))
        #expect(second.origin.presentation.saved.numbers == window.numbers)
        try stage.publish(10, in: second)
        try stage.expectRecorded(since: MediaTime(seconds: window.numbers.lowerBound.value), in: second)
        await second.runner.close(ends: false)
    }

    /// Segments that have left memory are in the recording, which the next channel has as well.
    @Test func aReloadWithoutStateKeepsTheWindowThatIsNotInMemory() async throws {
        let settings = try stage.settings(hasState: false)
        let first = try await stage.hosted(settings)
        try stage.publish(30, in: first)
        let window = first.origin.presentation.saved
        await first.runner.close(ends: false)
        var predecessor = ChannelPredecessor(first)
        #expect(predecessor.window?.bodies.isEmpty == false)
        predecessor.window = RestoredWindow(window: window, bodies: [:])
        let second = try await stage.hosted(settings, after: predecessor)
        #expect(second.origin.presentation.saved.numbers == window.numbers)
        for number in window.numbers {
            #expect(try stage.body(number.value, of: second) == RecordedStage.text(number.value))
        }
        await second.runner.close(ends: false)
    }

    // MARK: Limits

    @Test func whatIsBeyondALimitGoesWhileTheChannelRuns() async throws {
        let channel = try await stage.hosted(try stage.settings(hasState: false, ["record-for": ["300s"]]))
        try stage.publish(700, in: channel)
        let recording = try #require(channel.service.recorder?.recording)
        #expect(recording.extent?.count == 700)
        let pauses = ScriptedPauses([{}, { stage.clock.advance(by: 10) }])
        await RecordingUpkeep(recording, stage.clock, sleep: pauses.sleep).run()
        #expect(pauses.durations == Array(repeating: .seconds(60), count: 3))
        // Whole blocks of 256 slots.
        let kept = try #require(recording.extent?.count)
        #expect((300..<300 + 2 * 256).contains(kept) && kept < 700, "\(kept)")
        await channel.runner.close(ends: false)
    }

    // MARK: Checks

    @Test func aDirectoryThatCannotBeWrittenToIsFoundBeforehand() async throws {
        let settings = try Stage.channel("a", ["record": ["/proc/none"]])
        let problems = await stage.assembly.problems(of: [settings])
        #expect(
            problems.map(\.setting) == ["record"] && problems[0].message.contains("nothing can be written to /proc")
        )
        let configuration = try Configuration.load(flags: ["input": [Repository.smallFeed], "record": ["/proc/none"]])
        let check = ServiceCheck(configuration, overlay: nil) { _ in nil }
        #expect(check.problems.map(\.setting) == ["record"])
    }

    @Test func problemsOfTheDiskAreEventsWithWhatTheyMeanToViewers() throws {
        let lines = LogLines()
        let watch = DiskWatch(
            channel: "a",
            events: stage.events,
            clock: { StoppedClock().now },
            logger: lines.logger
        )
        for problem in RecordingProblem.allCases {
            watch.note(RecordingEvent.began(problem, reason: "no space left on device"))
            watch.note(RecordingEvent.ended(problem))
        }
        watch.note(RecordingEvent.shed(MediaSequenceNumber(256)..<MediaSequenceNumber(512)))
        watch.note(RecordingEvent.torn(after: nil, file: "index"))
        let events = stage.events.entries().map(\.event)
        #expect(events.count == 2 * RecordingProblem.allCases.count + 2)
        #expect(events.allSatisfy { $0.kind == .recording && $0.channel == "a" })
        #expect(events.count { $0.severity == .warning } == RecordingProblem.allCases.count + 2)
        #expect(lines.all.count { $0.contains("put it or the directory back") } == RecordingProblem.allCases.count)
    }
}
