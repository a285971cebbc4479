import MediaCore
import Operations
import Playlists
import SCTE35
import Testing

@testable import Assets

@Suite struct ProgrammeTimesTests {
    private let now = MadeMedia.time(100)

    /// A tag of a time signal.
    private func signal(
        _ id: String,
        _ seconds: Double,
        type: UInt8,
        event: UInt32,
        isOut: Bool = true
    ) throws -> DateRange {
        let details = SegmentationDescriptor.Details(type: SegmentationType(rawValue: type))
        let descriptor = SegmentationDescriptor(eventID: event, details: details)
        let bytes = try SpliceInfoSection(.timeSignal(0), [.segmentation(descriptor)]).bytes()
        var range = DateRange(id: id, start: MadeMedia.time(seconds))
        if isOut { range.spliceOut = bytes } else { range.spliceCommand = bytes }
        return range
    }

    @Test func programmesAreThoseOfTheirEvent() throws {
        let times = ProgrammeTimes([
            try signal("1", 10, type: 0x10, event: 7), try signal("2", 20, type: 0x30, event: 8),
            try signal("3", 50, type: 0x11, event: 7, isOut: false), try signal("4", 60, type: 0x10, event: 9),
        ])
        let found = try #require(times.programme(.event(7), at: now))
        #expect(found.start == MadeMedia.time(10) && found.announcedEnd == MadeMedia.time(50))
        let open = try #require(times.programme(.event(9), at: now))
        #expect(open.start == MadeMedia.time(60) && open.announcedEnd == nil)
        #expect(times.programme(.event(8), at: now) == nil)
    }

    @Test func aProgrammeThatIsTerminatedEarlyIsOver() throws {
        let times = ProgrammeTimes([
            try signal("1", 10, type: 0x10, event: 7), try signal("2", 30, type: 0x12, event: 7, isOut: false),
        ])
        #expect(try #require(times.programme(.event(7), at: now)).announcedEnd == MadeMedia.time(30))
    }

    @Test func theNewestOfAClassIsMeant() throws {
        var (first, second) = (
            DateRange(id: "a", start: MadeMedia.time(0)), DateRange(id: "b", start: MadeMedia.time(40))
        )
        (first.className, first.endsOnNext) = ("com.example.show", true)
        (second.className, second.duration) = ("com.example.show", MediaTime(seconds: 5))
        let times = ProgrammeTimes([first, second])
        let newest = try #require(times.programme(.className("com.example.show"), at: now))
        #expect(newest.start == MadeMedia.time(40) && newest.announcedEnd == MadeMedia.time(45))
        let named = try #require(times.programme(.dateRange(id: "a"), at: now))
        #expect(named.start == MadeMedia.time(0) && named.announcedEnd == MadeMedia.time(40))
        #expect(times.programme(.className("com.example.other"), at: now) == nil)
    }

    @Test func breaksAreAdvertisementsAndNotTheProgrammeItself() throws {
        var programme = try signal("1", 0, type: 0x10, event: 1)
        programme.duration = MediaTime(seconds: 100)
        var one = try signal("2", 20, type: 0x30, event: 2)
        one.duration = MediaTime(seconds: 10)
        var two = try signal("3", 30, type: 0x32, event: 3)
        two.plannedDuration = MediaTime(seconds: 15)
        let unknown = try signal("4", 60, type: 0x34, event: 4)
        let insert = MadeRecording.adBreak("5", from: 80, to: 90)
        let breaks = ProgrammeTimes([programme, one, two, unknown, insert]).breaks
        #expect(breaks == [MadeMedia.time(20)..<MadeMedia.time(45), MadeMedia.time(80)..<MadeMedia.time(90)])
    }

    @Test func aLaterTagEndsABreak() throws {
        var start = try signal("1", 20, type: 0x30, event: 2)
        start.plannedDuration = MediaTime(seconds: 60)
        let end = DateRange(id: "1", start: MadeMedia.time(20), duration: MediaTime(seconds: 30))
        #expect(ProgrammeTimes([start, end]).breaks == [MadeMedia.time(20)..<MadeMedia.time(50)])
    }

    @Test func chaptersAreOfTheirClassAndOfSCTE35() throws {
        var chapter = DateRange(id: "1", start: MadeMedia.time(30))
        chapter.className = "com.example.chapter"
        chapter.custom = [.init(name: "X-TITLE", value: .string("Weather"))]
        let times = ProgrammeTimes([chapter, try signal("2", 10, type: 0x20, event: 1)])
        #expect(
            times.chapters(ofClass: "com.example.chapter")
                == [AssetChapter(start: MadeMedia.time(10)), AssetChapter(start: MadeMedia.time(30), title: "Weather")]
        )
        #expect(times.chapters(ofClass: nil).count == 1)
    }
}
