import MediaCore
import TestSupport
import Testing
import TimedText

@testable import Ingest

/// Pages of teletext as libzvbi reads them, whole and damaged, and the news of them.
@Suite(.timeLimit(.minutes(5))) struct TeletextReadingTests {
    /// One page, from packets to cues.
    private struct Driver {
        var stream = TeletextStream(pages: [888])
        let reader: TextTrackReader
        var now: Int64 = 900_000
        var news: [TeletextWatch.News] = []
        /// Settings and text of each cue that came up.
        var shown: [String] = []

        init() throws {
            var track = InputTrack(index: InputTrackIndex(1 << 17), kind: .text(.webVTT), codec: .text(.webVTT))
            track.service = .teletext(page: 888)
            reader = try TextTrackReader(track, .teletext, header: [], modulus: nil)
        }

        /// Packets come in one PES packet a second.
        mutating func send(_ packets: [[UInt8]], for seconds: Int = 1) {
            for _ in 0..<seconds {
                now += MediaTime.timescale
                let info = PacketInfo(trackIndex: 0, presentationTimestamp: now, decodeTimestamp: now, duration: 0)
                news += stream.read(TeletextFixture.payload(packets), at: now, modulus: nil) { bytes in
                    for cue in reader.read(bytes.span.bytes, info, shift: 0, settings: nil) where cue.duration == nil {
                        let settings = cue.content.settings
                        shown.append("\(settings)\(settings.isEmpty ? "" : " ")\(cue.content.text)")
                    }
                    return reader.hasReadPage ? [888] : []
                }
            }
        }
    }

    private let page = TeletextFixture()

    /// With and without the header's C7, which FFmpeg takes the rows from that have no text.
    @Test(
        arguments: [true, false],
        [
            (1, "line:10% "), (4, "line:20% "), (9, "line:36% "), (12, "line:46% "), (16, "line:60% "), (17, ""),
            (18, ""), (20, ""), (22, ""), (23, ""),
        ]
    )
    func pagesKeepTheirRows(suppressesHeader: Bool, row: (number: Int, settings: String)) throws {
        var driver = try Driver()
        var page = page
        page.suppressesHeader = suppressesHeader
        driver.send(page.shown("text", row: row.number))
        #expect(driver.shown == ["\(row.settings)text"])
        #expect(driver.news == [])
    }

    @Test func twoRowsStayBelowEachOther() throws {
        var driver = try Driver()
        driver.send([page.header, page.row(20, "one"), page.row(22, "two"), page.filling])
        driver.send(page.cleared)
        driver.send([page.header, page.row(2, "above"), page.row(22, "below"), page.filling])
        #expect(driver.shown == ["one\ntwo", "line:13% above\nbelow"])
    }

    /// A header that comes again while its rows do, without erasing what is there.
    @Test(arguments: [true, false]) func aRepeatedHeaderChangesNothing(suppressesHeader: Bool) throws {
        var driver = try Driver()
        var page = page
        page.suppressesHeader = suppressesHeader
        driver.send(page.shown("before", row: 18))
        driver.send([page.header, page.row(20, "one"), page.header, page.row(22, "two"), page.filling])
        #expect(driver.shown.first == "before")
        #expect(driver.shown.last?.hasSuffix("two") == true && driver.shown.last?.contains("before") == false)
    }

    @Test(arguments: TeletextFixture.Damage.allCases)
    func whatCannotBeReadIsTold(damage: TeletextFixture.Damage) throws {
        var driver = try Driver()
        var damaged = page
        damaged.damage = damage
        driver.send(damaged.shown("text"), for: 120)
        #expect(driver.shown == [])
        #expect(driver.news == [.unreadable(pages: [888], .damaged)])
        driver.send(page.shown("text"), for: 120)
        #expect(driver.shown == ["text"])
        #expect(driver.news.count == 2)
        guard case .readable(pages: [888], let seconds)? = driver.news.last else {
            Issue.record("its end is not told: \(driver.news)")
            return
        }
        #expect(118...121 ~= seconds)
    }

    @Test func aPageThatNothingEndsIsTold() throws {
        var driver = try Driver()
        driver.send([page.header, page.row(20, "text")], for: 60)
        #expect(driver.shown == [] && driver.news == [.unreadable(pages: [888], .unended)])
        driver.send([page.filling], for: 2)
        #expect(driver.shown == ["text"] && driver.news.count == 2)
    }

    @Test func headersAloneAreTold() throws {
        var driver = try Driver()
        driver.send([page.header], for: 120)
        #expect(driver.shown == [] && driver.news == [.unreadable(pages: [888], .empty)])
    }

    /// An hour of subtitles, pauses and repetitions.
    @Test func cleanPagesAreNotTold() throws {
        var driver = try Driver()
        for number in 0..<200 {
            driver.send(page.shown("text \(number)"), for: 4)
            driver.send(page.cleared, for: number % 20)
        }
        #expect(driver.shown.count == 200 && driver.news == [])
    }

    /// A file, from its transport packets to what a channel hears.
    @Test func aFeedTellsOfItsPages() async throws {
        try await withTemporaryFolder { folder in
            let pictures = "testsrc2=size=64x36:rate=25"
            try await ffmpeg(
                "-f",
                "lavfi",
                "-i",
                pictures,
                "-t",
                "24",
                "-c:v",
                "libx264",
                "-preset",
                "ultrafast",
                "\(folder)/a.ts"
            )
            let script = Repository.script("TransportStreams/teletext.py")
            let pages = "--page 150:ger --page 888:eng --damage 0 18"
            try await Program.run("/bin/sh", ["-c", "python3 \(script) \(pages) < \(folder)/a.ts > \(folder)/b.ts"])
            let record = await read("\(folder)/b.ts", options: .init(subtitles: .automatic))
            let track = try #require(record.openings.last?.first { $0.kind == .text(.webVTT) }).index
            let notices = record.notices.filter { if case .programs = $0 { false } else { true } }
            #expect(
                notices == [
                    .teletextUnreadable(track: track, pages: [150, 888], .damaged),
                    .teletextReadable(track: track, pages: [150, 888], seconds: 17),
                ]
            )
            // What is read behind the damage is shown.
            #expect(record.packets(of: track).contains { ($0.presentationTimestamp ?? 0) / 90_000 == 20 })
        }
    }
}
