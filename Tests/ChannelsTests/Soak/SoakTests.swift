import Archive
import Foundation
import MediaCore
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// A channel under faults for longer than anyone would wait: for twenty minutes, or for `SOAK_DAYS`, see `make soak`.
@Suite(.serialized) struct SoakTests {
    private static let days = ProcessInfo.processInfo.environment["SOAK_DAYS"].flatMap(Double.init)
    private static let minutes = days.map { Int($0 * 24 * 60) } ?? 20

    @Test(arguments: [ClockSource.pts, .arrival])
    func aFaultEveryMinuteMovesNothingAndLeavesNothingBehind(source: ClockSource) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let began = ContinuousClock.now
        var run = try SoakRun(clock: source, directory: directory, seed: 11)
        run.run(minutes: Self.minutes)
        Self.report(run, source, took: ContinuousClock.now - began)

        let audit = run.audit
        // The grid's first slot may have begun before the channel had, and the newest is not over.
        #expect(Self.minutes * 15 - 2...Self.minutes * 15 ~= audit.slots)
        #expect(audit.undisturbed > audit.slots / 2)
        #expect(audit.gaps < audit.slots / 10)
        #expect(run.journalStatistics.written == audit.slots)
        // Dates are written in milliseconds; what has only its arrival to go by is known to what the paths differ by.
        let most: Int64 = source == .pts ? 90 : 3 * SoakEncoder.pictureTicks
        for measurement in run.measurements {
            #expect(measurement.dateErrors.lowerBound >= -most && measurement.dateErrors.upperBound <= most)
            #expect(measurement.held < 60_000)
            #expect(measurement.events <= 2_000)
        }
        // A window of 15 slots, and as many that players may still fetch, with what they need.
        #expect(audit.mostPaths < 100)
        // A short run shares its process with other tests.
        guard Self.days != nil, let last = run.measurements.last else { return }
        let warm = try #require(run.measurements.first { $0.minute >= min(120, Self.minutes / 2) })
        #expect(last.resident - warm.resident < 4 << 20, "memory is flat")
    }

    private static func report(_ run: SoakRun, _ source: ClockSource, took duration: Duration) {
        let audit = run.audit
        print(
            """
            soak, clock \(source): \(Double(minutes) / 1440) days in \(duration.components.seconds) s, \
            \(run.faultCount) faults, \(audit.slots) slots, \(audit.segments) segments, \(audit.gaps) gaps, \
            \(audit.samples) samples, \(run.switchCount.value) switches, \(audit.discontinuities) discontinuities, \
            \(audit.undisturbed) segments far from faults, at most \(audit.mostPaths) paths, \(run.journalStatistics)
            """
        )
        for point in run.measurements {
            print(
                """
                after \(Double(point.minute * 10 / 60) / 10) h: \(point.resident >> 10) KiB resident, \
                \(point.held) values held, \(point.events) events, dates off by \(point.dateErrors) ticks
                """
            )
        }
    }
}
