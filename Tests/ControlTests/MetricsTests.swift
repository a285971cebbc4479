import Dispatch
import MediaCore
import NIOCore
import Operations
import Synchronization
import Testing

@testable import Control

@Suite struct MetricsTests {
    @Test func whatIsKnownIsToldInPrometheusWords() {
        var origin = Fixture.origin
        origin.answered = [.init(kind: "segment", code: "200", requests: 90_000, bytes: 1_234_000_000)]
        origin.keys = OriginStatus.Keys(granted: 7, refused: ["expired": 2])
        var live = Fixture.live
        live.audience = ChannelStatus.Audience(
            viewers: 640,
            reporting: 600,
            stalled: 3,
            stalls: 17,
            bufferLength: Seconds(MediaTime(milliseconds: 12_500)),
            bitrate: 4_100_000
        )
        live.push = [
            ChannelStatus.Destination(
                url: "s3://media/live",
                problem: "status 503",
                waiting: 3,
                lag: Seconds(MediaTime(milliseconds: 2500)),
                refusedDeletions: 6,
                stored: 40,
                storedBytes: 123_456,
                lost: 1,
                failures: ["busy": 2],
                recordings: .init(waiting: 3, sent: 12, failed: 1, stored: 5000, storedBytes: 4096, deleted: 40)
            )
        ]
        var hook = WebhookStatus(name: "alerts.example.com")
        (hook.delivered, hook.dropped, hook.waiting, hook.problem) = (40, 2, 5, "status 503")
        let metrics = Metrics(
            version: "1.0",
            channels: [live, Fixture.soon],
            totals: ["live": StubChannel(Fixture.live).totals],
            origin: origin,
            events: Fixture.log(3).counts,
            archive: EventArchiveHealth(problem: "no room", unkept: 9, bytes: 4096),
            webhooks: [hook]
        )
        let lines = Set(metrics.text.split(separator: "\n").map(String.init))
        for line in [
            "# TYPE packager_build_info gauge", #"packager_build_info{version="1.0"} 1"#,
            #"packager_channel_score{channel="live"} 87"#, #"packager_channel_live{channel="soon"} 0"#,
            #"packager_live_edge_age_seconds{channel="live"} 2.5"#,
            #"packager_storage_healthy{channel="live",target="journal"} 0"#,
            #"packager_storage_healthy{channel="live",target="recording"} 1"#,
            #"packager_recording_bytes{channel="live"} 500000000000"#,
            #"packager_recording_start_timestamp_seconds{channel="live"} 1794052800"#,
            #"packager_recording_end_timestamp_seconds{channel="live"} 1795262396"#,
            #"packager_recording_slots_removed_early_total{channel="live"} 512"#,
            #"packager_recording_slots_late_total{channel="live"} 2"#,
            #"packager_recording_slots_lost_total{channel="live"} 1"#,
            #"packager_recording_slots_filled_total{channel="live"} 7"#,
            #"packager_recording_slots_missing{channel="live"} 2"#,
            #"packager_recording_peer_refusals_total{channel="live"} 3"#,
            #"packager_push_healthy{channel="live",destination="s3://media/live"} 0"#,
            #"packager_push_objects_waiting{channel="live",destination="s3://media/live"} 3"#,
            #"packager_push_lag_seconds{channel="live",destination="s3://media/live"} 2.5"#,
            #"packager_push_refused_deletions{channel="live",destination="s3://media/live"} 6"#,
            #"packager_push_bytes_total{channel="live",destination="s3://media/live"} 123456"#,
            #"packager_push_objects_total{channel="live",destination="s3://media/live",outcome="stored"} 40"#,
            #"packager_push_objects_total{channel="live",destination="s3://media/live",outcome="lost"} 1"#,
            #"packager_push_failures_total{channel="live",destination="s3://media/live",problem="busy"} 2"#,
            #"packager_push_recordings{channel="live",destination="s3://media/live",state="waiting"} 3"#,
            #"packager_push_recordings{channel="live",destination="s3://media/live",state="failed"} 1"#,
            #"packager_push_recording_objects_total{channel="live",destination="s3://media/live",outcome="deleted"} 40"#,
            #"packager_push_recording_bytes_total{channel="live",destination="s3://media/live"} 4096"#,
            #"packager_push_delay_seconds_count{channel="live",destination="s3://media/live"} 0"#,
            #"packager_input_up{channel="live",input="backup-1"} 1"#,
            #"packager_redundant_inputs_up{channel="live",input="input-1"} 2"#,
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
            #"packager_events_total{channel="live",kind="gap"} 3"#, #"packager_viewers{channel="live"} 640"#,
            #"packager_viewers{channel="soon"} 0"#, #"packager_viewers_reporting{channel="live"} 600"#,
            #"packager_viewers_stalled{channel="live"} 3"#, #"packager_viewer_stalls_total{channel="live"} 17"#,
            #"packager_viewer_buffer_seconds{channel="live"} 12.5"#,
            #"packager_viewer_requested_bits_per_second{channel="live"} 4100000"#,
            "packager_event_archive_healthy 0", "packager_events_unkept_total 9", "packager_event_archive_bytes 4096",
            #"packager_webhook_healthy{webhook="alerts.example.com"} 0"#,
            #"packager_webhook_events_waiting{webhook="alerts.example.com"} 5"#,
            #"packager_webhook_events_total{webhook="alerts.example.com",outcome="dropped"} 2"#,
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
        let alone = Metrics(version: "", channels: [Fixture.soon], totals: [:], origin: Fixture.origin, events: [:])
        #expect(!alone.text.contains("packager_redundant_inputs_up"), "an input without a backup has none to lose")
    }

    @Test func labelsAreEscaped() {
        var family = MetricFamily("a", .gauge, "b")
        family.add(1.5, ("c", "x\\\"\ny"))
        #expect(family.text == "# HELP a b\n# TYPE a gauge\na{c=\"x\\\\\\\"\\ny\"} 1.5\n")
    }

    @Test func whatIsAskedForAtOnceIsMadeOnce() {
        let rendering = SharedRendering(age: .seconds(3600))
        let made = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 1000) { _ in
            let bytes = rendering.bytes {
                made.withLock { $0 += 1 }
                return ByteBuffer(string: "metrics")
            }
            #expect(bytes == ByteBuffer(string: "metrics"))
        }
        #expect(made.withLock { $0 } == 1)
        let fresh = SharedRendering(age: .zero)
        #expect(
            (1...3).map { number in fresh.bytes { ByteBuffer(integer: number) } }
                == (1...3).map { ByteBuffer(integer: $0) }
        )
    }

    @Test func eventsAreCountedBeyondThoseThatAreKept() {
        let log = Fixture.log(5000, capacity: 10)
        #expect(log.counts == [EventLog.Count(channel: "live", kind: .gap): 5000])
    }
}
