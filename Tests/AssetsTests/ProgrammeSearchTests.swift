import MediaCore
import Operations
import Playlists
import Testing

@testable import Assets
@testable import Presentation

/// Which programme of a long recording is meant, and where it ends.
@Suite struct ProgrammeSearchTests {
    private static let slot = MediaTime(seconds: 4)
    private static let day = 1_800_000_000 as Int64
    private static let name = "com.example.show"

    private static func time(_ seconds: Int64) -> MediaTime { MediaTime(seconds: day + seconds) }

    /// The start tag of a show.
    private static func show(_ id: String, at start: Int64, change: (inout DateRange) -> Void) -> DateRange {
        var range = DateRange(id: id, start: time(start))
        range.className = name
        change(&range)
        return range
    }

    /// A search in the tags of a recording, each with the second at which it is recorded.
    private struct Stage {
        var search: ProgrammeSearch
        let posted: Int64
        var tags: [(Int64, DateRange)]

        init(_ choice: ProgrammeChoice = .className(name), posted: Int64, _ tags: [(Int64, DateRange)]) {
            (self.posted, self.tags) = (posted, tags)
            search = ProgrammeSearch(choice, posted: time(posted), from: time(posted - 86_400), slot: slot)
        }

        mutating func look(until end: Int64, now: Int64? = nil) {
            let extent = MediaSequenceNumber((day - 86_400) / 4)..<MediaSequenceNumber((day + end) / 4)
            search.look(through: extent, now: time(now ?? end)) { [tags] numbers in
                tags.compactMap { second, range in
                    let number = MediaSequenceNumber((day + second) / 4)
                    guard numbers.contains(number) else { return nil }
                    var slot = ListedSlot(number: number, startsDiscontinuity: false)
                    slot.dateRanges = DateRangeLines(above: [range])
                    return slot
                }
            }
        }

        /// The programme, and the second at which it ends.
        var found: String {
            guard let programme = search.found else { return "none" }
            return "\(programme.id) until \(search.end.map { "\(($0 - time(0)).milliseconds / 1_000)" } ?? "?")"
        }
    }

    @Test func theShowOfTodayIsMeantAndNotThatOfYesterday() {
        let hour = MediaTime(seconds: 3_600)
        var stage = Stage(
            posted: 5_400,
            [
                (-80_000, Self.show("yesterday", at: -80_000) { $0.duration = hour }),
                (0, Self.show("before", at: 0) { $0.duration = hour }),
                (3_600, Self.show("now", at: 3_600) { $0.duration = hour }),
                (7_200, Self.show("after", at: 7_200) { $0.duration = hour }),
            ]
        )
        stage.look(until: 5_400)
        #expect(stage.found == "now until 7200")
        stage.look(until: 9_000)
        #expect(stage.found == "now until 7200")
    }

    /// A show that had just begun is not recorded yet when it is asked for.
    @Test func aShowThatHasJustBegunIsMeant() {
        let tags: [(Int64, DateRange)] = [
            (0, Self.show("before", at: 0) { $0.duration = MediaTime(seconds: 3_600) }),
            (3_600, Self.show("now", at: 3_600) { $0.duration = MediaTime(seconds: 60) }),
        ]
        var stage = Stage(posted: 3_602, tags)
        stage.look(until: 3_600, now: 3_602)
        #expect(stage.found == "none")
        stage.look(until: 3_604)
        #expect(stage.found == "now until 3660")
        // Of a channel that is off, the last one is meant.
        stage = Stage(posted: 3_602, tags)
        stage.look(until: 3_600, now: 3_662)
        #expect(stage.found == "before until 3600")
    }

    @Test func anAnnouncedEndCountsMoreThanOneThatWasPlanned() {
        for end in [2_400, 4_500] as [Int64] {
            var stage = Stage(
                posted: 600,
                [
                    (0, Self.show("a", at: 0) { $0.plannedDuration = MediaTime(seconds: 3_600) }),
                    (end, Self.show("a", at: 0) { $0.duration = MediaTime(seconds: end) }),
                ]
            )
            for until in stride(from: 600, to: end, by: 300) {
                stage.look(until: until)
                #expect(stage.found == "a until ?")
            }
            stage.look(until: 10_000)
            #expect(stage.found == "a until \(end)")
            stage = Stage(posted: 10_000, stage.tags)
            stage.look(until: 10_000)
            #expect(stage.found == "a until \(end)")
        }
    }

    /// Some streams announce no ends.
    @Test func aPlannedEndCountsOnceTheNextShowBeginsOrAfterHalfAnHour() {
        let planned = Self.show("a", at: 0) { $0.plannedDuration = MediaTime(seconds: 3_600) }
        var stage = Stage(posted: 600, [(0, planned)])
        stage.look(until: 5_396)
        #expect(stage.found == "a until ?")
        stage.look(until: 5_400)
        #expect(stage.found == "a until 3600")
        for start in [3_000, 3_800] as [Int64] {
            var stage = Stage(posted: 600, [(0, planned), (start, Self.show("b", at: start) { _ in })])
            stage.look(until: start)
            #expect(stage.found == "a until ?")
            stage.look(until: start + 4)
            #expect(stage.found == "a until \(min(start, 3_600))")
        }
    }

    /// The end of a show and the start of the next one are in the same slot.
    @Test func aShowThatEndsWithTheNextIsFound() {
        let starts = [(0, "a"), (3_600, "b"), (7_200, "c")] as [(Int64, String)]
        var stage = Stage(
            posted: 600,
            starts.map { start, id in (start, Self.show(id, at: start) { $0.endsOnNext = true }) }
        )
        stage.look(until: 600)
        #expect(stage.found == "a until ?")
        stage.look(until: 8_000)
        #expect(stage.found == "a until 3600")
    }
}
