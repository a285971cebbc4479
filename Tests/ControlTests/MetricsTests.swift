import MediaCore
import Operations
import Testing

@testable import Control

@Suite struct MetricsTests {
    @Test func whatIsKnownIsToldInPrometheusWords() {
        var origin = Fixture.origin
        origin.answered = [.init(kind: "segment", code: "200", requests: 90_000, bytes: 1_234_000_000)]
        origin.keys = OriginStatus.Keys(granted: 7, refused: ["expired": 2])
        let metrics = Metrics(
            version: "1.0",
            channels: [Fixture.live, Fixture.soon],
            totals: ["live": Desk(Fixture.live).totals],
            origin: origin,
            events: Fixture.log(3).counts
        )
        let lines = Set(metrics.text.split(separator: "\n").map(String.init))
        for line in [
            "# TYPE packager_build_info gauge", #"packager_build_info{version="1.0"} 1"#,
            #"packager_channel_score{channel="live"} 87"#, #"packager_channel_live{channel="soon"} 0"#,
            #"packager_live_edge_age_seconds{channel="live"} 2.5"#,
            #"packager_storage_healthy{channel="live",target="journal"} 0"#,
            #"packager_input_up{channel="live",input="backup-1"} 1"#,
            #"packager_on_air{channel="live",input="backup-1"} 0"#,
            #"packager_continuity_errors_total{channel="live",input="backup-1"} 3"#,
            #"packager_slots_total{channel="live",rendition="video-1080p",outcome="media"} 40"#,
            #"packager_slots_total{channel="live",rendition="video-1080p",outcome="gap"} 2"#,
            #"packager_lost_seconds_total{channel="live",rendition="video-1080p"} 12"#,
            "# TYPE packager_publication_delay_seconds histogram",
            #"packager_publication_delay_seconds_bucket{channel="live",le="0.05"} 1"#,
            #"packager_publication_delay_seconds_bucket{channel="live",le="0.5"} 2"#,
            #"packager_publication_delay_seconds_bucket{channel="live",le="+Inf"} 3"#,
            #"packager_publication_delay_seconds_count{channel="live"} 3"#,
            #"packager_publication_delay_seconds_sum{channel="live"} 2.15"#,
            #"packager_events_total{channel="live",kind="gap"} 3"#, "packager_viewers 640",
            #"packager_connections_lost_total{limit="displaced"} 3"#,
            #"packager_http_requests_total{kind="segment",code="200"} 90000"#,
            #"packager_keys_total{answer="expired"} 2"#,
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    /// Families without samples are left out: a scraper takes a lonely TYPE for an error.
    @Test func whatIsNotKnownIsNotTold() {
        let metrics = Metrics(version: "", channels: [], totals: [:], origin: Fixture.origin, events: [:])
        #expect(!metrics.text.contains("packager_input_up"))
        #expect(!metrics.text.contains("packager_keys_total"))
    }

    @Test func labelsAreEscaped() {
        var family = MetricFamily("a", .gauge, "b")
        family.add(1.5, ("c", "x\\\"\ny"))
        #expect(family.text == "# HELP a b\n# TYPE a gauge\na{c=\"x\\\\\\\"\\ny\"} 1.5\n")
    }

    /// A scraper that asks a thousand times a second gets the same answer, and no more series by it.
    @Test func eventsAreCountedBeyondThoseThatAreKept() {
        let log = Fixture.log(5000, capacity: 10)
        #expect(log.counts == [EventLog.Count(channel: "live", kind: .gap): 5000])
    }
}
