import Foundation
import TestSupport
import Testing

@testable import Drills

#if canImport(FoundationXML)
import FoundationXML
#endif

struct ReportTests {
    static func report(_ video: String = "mmmmmmmmmgggmMmm", gap: Double = 3) -> DrillReport {
        var record = DrillRecord.sample(video: video, audio: "mmmmmmmmmffffmmm")
        record.events = [
            .init(
                time: 5900,
                source: "packager-1",
                kind: "switched",
                input: "backup-1",
                slot: 109,
                message: "No <bits> & bytes"
            )
        ]
        record.player.stalls = [Span(6200, 7400)]
        record.player.jumps = [.init(time: 7400, length: 3000)]
        record.ages = [
            .init(time: 1000, rendition: "video-360p", age: 900), .init(time: 8000, rendition: "video-360p", age: 3100),
        ]
        record.violations = [.init(time: 6000, message: "\"quoted\" \u{1}")]
        return DrillReport(
            name: "encoder-killed",
            description: "An encoder <dies> & nobody's there.",
            expectations: [MetricLimits(.gap, atMost: gap), MetricLimits(.differences, atLeast: 0, atMost: 0)],
            commands: [.init(part: "packager-1", line: "packager --config 'a b.yaml'")],
            record: record
        )
    }

    @Test func aReportIsPassedWhereAllExpectationsAreMet() {
        let record = DrillRecord.sample(video: "mmmmmmmmmgggmmmm")
        func outcome(_ expectations: [MetricLimits]) -> DrillReport.Outcome {
            DrillReport(name: "a", description: "", expectations: expectations, commands: [], record: record).outcome
        }
        #expect(outcome([MetricLimits(.gap, atMost: 3), MetricLimits(.stall, atMost: 0)]) == .passed)
        #expect(outcome([MetricLimits(.gap, atMost: 2.9), MetricLimits(.stall, atMost: 0)]) == .failed)
        #expect(outcome([]) == .observed)
    }

    @Test func whatIsSkippedIsNotPassed() {
        let report = DrillReport(name: "a", description: "", outcome: .skipped, reason: "no strace")
        #expect(report.outcome == .skipped)
        #expect(report.summary == "a: skipped: no strace")
    }

    /// The verdict is for readers who skip the numbers.
    @Test func theVerdictIsWhatViewersNoticed() {
        #expect(Self.report().verdict == "Viewers waited for the picture for 1.2 s in all, then it went on.")
        func verdict(video: String) -> String? {
            let record = DrillRecord.sample(video: video)
            return DrillReport(name: "a", description: "", expectations: [], commands: [], record: record).verdict
        }
        #expect(verdict(video: "mmmmmmmmmmmmmmmm") == "Viewers noticed nothing.")
        #expect(
            verdict(video: "mmmmmmmmmgggmmmm") == "Players were told of 3 s without media, and waited for nothing."
        )
        #expect(DrillReport(name: "a", description: "", outcome: .skipped, reason: "no strace").verdict == nil)
    }

    @Test func theSummarySaysWhatWasNotMet() {
        #expect(
            Self.report(gap: 2).summary
                == "encoder-killed: failed: gap 3 s (at most 2 s expected), differences in the pair not measured (0 expected)"
        )
    }

    @Test func itGoesThroughJSON() throws {
        let report = Self.report()
        #expect(try JSONDecoder().decode(DrillReport.self, from: report.json()) == report)
        #expect(try report.json() == report.json())
    }

    @Test(arguments: [
        report(), report("mmmm"), DrillReport(name: "a", description: "", outcome: .skipped, reason: "<none>"),
    ])
    func thePageIsWellFormedAndNeedsNothingElse(report: DrillReport) throws {
        let page = ReportPage(report: report).render()
        try expectWellFormed(page)
        for reference in ["<script", "http:", "https:", "src=", "<link", "@import"] {
            #expect(!page.contains(reference))
        }
    }

    @Test func thePictureShowsWhatHappenedInWordsToo() {
        let picture = TimelinePicture(Self.report().record).render().description
        for words in [
            "1  encoder-killed, from 5 s until 8 s", "109: gap, 5 s to 6 s, listed at 6.2 s", "discontinuity at 9 s",
            "stall of 1.2 s from 6.2 s", "skipped 3 s at 7.4 s", "from backup-1", "No &lt;bits&gt; &amp; bytes",
            "video-360p: 3.1 s without a change until 8 s", "109: filler",
        ] {
            #expect(picture.contains(words), "\(words)")
        }
    }

    @Test func theIndexShowsFailuresFirst() throws {
        var passed = Self.report()
        passed.name = "a-passed"
        passed.outcome = .passed
        let page = IndexPage(reports: [passed, Self.report(gap: 2)]).render()
        try expectWellFormed(page)
        let (failed, other) = (page.range(of: "encoder-killed.html"), page.range(of: "a-passed.html"))
        #expect(try #require(failed).lowerBound < #require(other).lowerBound)
        #expect(page.contains("1 failed, 1 passed"))
    }

    @Test func valuesAreEscapedAndMarkupIsNot() {
        let bold: Markup = "<b>\("a<b>&\"'\u{0}")</b>"
        #expect("<p>\(bold)</p>" as Markup == "<p><b>a&lt;b&gt;&amp;&quot;&#39;\u{FFFD}</b></p>")
    }

    @Test(arguments: [
        (Span(-12_000, 26_000), [-10_000, -5000, 0, 5000, 10_000, 15_000, 20_000, 25_000]),
        (Span(0, 3000), [0, 1000, 2000, 3000]), (Span(0, 0), [0]),
        (
            Span(0, 86_400_000),
            [
                0, 7_200_000, 14_400_000, 21_600_000, 28_800_000, 36_000_000, 43_200_000, 50_400_000, 57_600_000,
                64_800_000, 72_000_000, 79_200_000, 86_400_000,
            ]
        ),
    ])
    func ticksAreRoundTimes(span: Span, ticks: [Int]) {
        #expect(TimelineScale(span: span, left: 0, width: 100).ticks == ticks)
    }

    @Test func filesAreWrittenSideBySide() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.report().write(to: folder.path)
        try DrillReport.writeIndex(of: [Self.report()], to: folder.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["encoder-killed.html", "encoder-killed.json", "index.html"])
    }

    /// Our pages are XML but for the document type and two empty elements of HTML.
    private func expectWellFormed(_ page: String) throws {
        let xml = page.replacing("<!DOCTYPE html>", with: "").replacing("<br>", with: "<br/>")
            .replacing(#/<meta [^>]*>/#) { "\($0.output.dropLast())/>" }
        let parser = XMLParser(data: Data(xml.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)")
    }
}
