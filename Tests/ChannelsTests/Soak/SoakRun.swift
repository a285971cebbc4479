import Archive
import ContentProtection
import Foundation
import Logging
import MediaCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import Synchronization
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Packaging
@testable import Segmenting

/// A channel with an input, a backup, keys that change every minute, and a journal, on a clock that runs as fast as the
/// machine can, and a fault every minute.
struct SoakRun {
    /// The resources of the process at one moment.
    struct Measurement {
        var minute: Int
        /// Memory in use, in bytes.
        var resident: Int
        /// Values that the channel holds of what it has not published.
        var held: Int
        var events: Int
        /// The dates that were seen far from any fault since the measurement before, in ticks off.
        var dateErrors: ClosedRange<Int64>
    }

    private static let picturesPerMinute = SoakEncoder.picturesPerSecond * 60
    private static let grid = SegmentGrid(slotDuration: MediaTime(seconds: 4))

    private let clock: ChannelFixture.Clock
    private let channel: Channels.Channel
    private let journal: Journal
    private let events: EventLog
    private var encoders: [SoakEncoder]
    private var generator: SeededGenerator
    private let firstPicture: Int64
    private(set) var audit: SoakAudit
    private(set) var measurements: [Measurement] = []
    private(set) var faultCount = 0
    let switchCount: SwitchCount

    /// The number of changes between inputs.
    final class SwitchCount: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
        func note(_ event: ChannelEvent) {
            if event.kind == .switched { count.add(1, ordering: .relaxed) }
        }
    }

    var journalStatistics: Journal.Statistics { journal.statistics }

    /// - Parameters:
    ///   - source: ``ClockSource/pts`` for encoders whose timestamps are UTC.
    ///   - directory: Where the journal is kept.
    ///   - seed: Of the faults.
    /// - Throws: If the journal cannot be kept there.
    init(clock source: ClockSource, directory: String, seed: UInt64) throws {
        // Ten minutes before UTC in ticks of 90 kHz passes a multiple of 2^33.
        let wrap = (Epoch.time.ticks / ChannelFeed.modulus + 1) * ChannelFeed.modulus
        let minute = MediaTime(seconds: 60).ticks
        let start = MediaTime(ticks: (wrap / minute - 10) * minute)
        firstPicture = start.ticks / SoakEncoder.pictureTicks
        let switchCount = SwitchCount()
        events = EventLog(onEvent: switchCount.note)
        self.switchCount = switchCount
        clock = ChannelFixture.Clock(start)
        journal = try Journal.open(
            directory: directory,
            channel: "live",
            configuration: [:],
            segmentDuration: Self.grid.slotDuration,
            // Slots come as fast as they can be made: a thread that stands still for a second is no disk that is late.
            patience: .seconds(600),
            onEvent: { _ in }
        ).journal
        let changes = ChangeLog()
        let bandwidth = Bandwidth(peak: 800_000, average: 700_000)
        let presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: Self.grid.targetDuration,
                segmentDuration: Self.grid.slotDuration,
                windowDuration: MediaTime(seconds: 60),
                maximumBytes: 100_000_000,
                pinnedBandwidth: ["video-180p": bandwidth, "audio": bandwidth]
            ),
            consumers: [journal, changes]
        )
        let secret = try #require(MasterSecret(Array(1...32)))
        channel = Channels.Channel(
            configuration: ChannelEngine.Configuration(
                name: "live",
                grid: Self.grid,
                clock: source,
                isSampleEncrypted: true,
                inputCount: 1,
                backupCount: 1,
                isPaced: true,
                failback: MediaTime(seconds: 8),
                checks: InputHealth.Checks(frozen: MediaTime(seconds: 3), silence: MediaTime(seconds: 3))
            ),
            encryption: .sampleAES(KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 15)),
            presentation: presentation,
            clock: clock,
            events: events,
            logger: Logger(label: "soak") { _ in SwiftLogNoOpLogHandler() },
            execute: { $0() }
        )
        audit = SoakAudit(presentation, changes, grid: Self.grid, isOnCommonClock: source == .pts)
        generator = SeededGenerator(seed: seed)
        encoders = []
        for (index, id) in [InputID.input(0), .backup(0, inputCount: 1)].enumerated() {
            encoders.append(
                SoakEncoder(
                    channel.makeInput(id, pace: .live),
                    isOnCommonClock: source == .pts,
                    latency: Int64(index) * 3,
                    seed: seed + 1 + UInt64(index)
                )
            )
        }
    }

    /// Lets time go by: a fault every minute, but for the first and the last.
    ///
    /// - Parameter minutes: The number of minutes.
    mutating func run(minutes: Int) {
        for index in encoders.indices { encoders[index].open(at: firstPicture) }
        for minute in 0..<minutes {
            run(minute: minute, hasFault: 1..<minutes - 1 ~= minute)
            if (minute + 1) % max(minutes / 14, 10) == 0 { measure(minute + 1) }
        }
        channel.presentation.finish()
    }

    private mutating func run(minute: Int, hasFault: Bool) {
        let start = firstPicture + Int64(minute) * Self.picturesPerMinute
        let begin = start + Int64.random(in: 100..<400, using: &generator)
        let end = begin + Int64.random(in: 10..<800, using: &generator)
        let fault = SoakFault.allCases.randomElement(using: &generator) ?? .killed
        let victims: Range<Int> =
            switch SoakFault.Victims.allCases.randomElement(using: &generator) ?? .both {
            case .input: 0..<1
            case .backup: 1..<2
            case .both: 0..<2
            }
        if hasFault {
            faultCount += 1
            audit.faultHappens(SoakEncoder.time(of: begin)..<SoakEncoder.time(of: end))
        }
        for picture in start..<start + Self.picturesPerMinute {
            clock.set(SoakEncoder.time(of: picture))
            if hasFault, picture == begin { for index in victims { encoders[index].begin(fault) } }
            if hasFault, picture == end { for index in victims { encoders[index].endFault(at: picture) } }
            for index in encoders.indices { encoders[index].send(picture) }
            guard picture % 5 == 0 else { continue }
            channel.timeAdvanced()
            audit.look(at: clock.now)
        }
    }

    private mutating func measure(_ minute: Int) {
        let statistics = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        let pages = statistics?.dropFirst().first.flatMap { Int($0) } ?? 0
        measurements.append(
            Measurement(
                minute: minute,
                resident: pages * Int(getpagesize()),
                held: Self.population(of: channel.engine.segmenter),
                events: events.entries().count,
                dateErrors: audit.dateErrors
            )
        )
        audit.dateErrors = 0...0
    }

    /// Returns the number of values that something holds, all the way down.
    private static func population(of value: Any) -> Int {
        Mirror(reflecting: value).children.reduce(1) { $0 + population(of: $1.value) }
    }
}
