import MediaCore
import Presentation

/// The metrics of buckets and servers that channels are sent to.
extension Metrics {
    mutating func addDestinations(of channels: [ChannelStatus]) {
        func each(_ family: inout MetricFamily, _ value: (ChannelStatus.Destination) -> Double) {
            for channel in channels {
                for destination in channel.push ?? [] {
                    family.add(value(destination), ("channel", channel.name), ("destination", destination.url))
                }
            }
        }
        add("packager_push_healthy", .gauge, "1 while a destination accepts objects.") {
            each(&$0) { $0.isHealthy ? 1 : 0 }
        }
        add("packager_push_objects_waiting", .gauge, "Objects that wait to be sent to a destination.") {
            each(&$0) { Double($0.waiting) }
        }
        add("packager_push_lag_seconds", .gauge, "Age of the oldest object that waits to be sent.") {
            each(&$0) { $0.lag.time.seconds }
        }
        add("packager_push_backlog_bytes", .gauge, "Bytes on disk that wait to be sent.") {
            each(&$0) { Double($0.backlogBytes) }
        }
        add("packager_push_refused_deletions", .gauge, "Objects that a destination refuses to delete.") {
            each(&$0) { Double($0.refusedDeletions) }
        }
        add("packager_push_bytes_total", .counter, "Bytes of the objects that a destination has accepted.") {
            each(&$0) { Double($0.storedBytes) }
        }
        add("packager_push_objects_total", .counter, "Objects, by outcome.") { family in
            for channel in channels {
                for destination in channel.push ?? [] {
                    for (outcome, count) in [
                        ("stored", destination.stored), ("deleted", destination.deleted), ("lost", destination.lost),
                    ] {
                        family.add(
                            count,
                            ("channel", channel.name),
                            ("destination", destination.url),
                            ("outcome", outcome)
                        )
                    }
                }
            }
        }
        addFailuresAndDelays(of: channels)
        addPushedRecordings(of: channels)
    }

    private mutating func addPushedRecordings(of channels: [ChannelStatus]) {
        let destinations = channels.flatMap { channel in
            (channel.push ?? []).compactMap { destination in
                destination.recordings.map { (channel.name, destination.url, $0) }
            }
        }
        add("packager_push_recordings", .gauge, "Finished recordings at a destination, by state.") { family in
            for (channel, url, recordings) in destinations {
                for (state, count) in [
                    ("waiting", recordings.waiting), ("sent", recordings.sent), ("failed", recordings.failed),
                    ("removing", recordings.removing),
                ] {
                    family.add(count, ("channel", channel), ("destination", url), ("state", state))
                }
            }
        }
        add(
            "packager_push_recording_objects_total",
            .counter,
            "Objects of finished recordings, by outcome."
        ) { family in
            for (channel, url, recordings) in destinations {
                for (outcome, count) in [("stored", recordings.stored), ("deleted", recordings.deleted)] {
                    family.add(count, ("channel", channel), ("destination", url), ("outcome", outcome))
                }
            }
        }
        add(
            "packager_push_recording_bytes_total",
            .counter,
            "Bytes of finished recordings that a destination has accepted."
        ) { family in
            for (channel, url, recordings) in destinations {
                family.add(recordings.storedBytes, ("channel", channel), ("destination", url))
            }
        }
    }

    private mutating func addFailuresAndDelays(of channels: [ChannelStatus]) {
        let destinations = channels.flatMap { channel in (channel.push ?? []).map { (channel.name, $0) } }
        add("packager_push_failures_total", .counter, "Requests to a destination that failed, by the kind of problem.")
        {
            for (channel, destination) in destinations {
                for (problem, count) in destination.failures.sorted(by: { $0.key < $1.key }) {
                    $0.add(count, ("channel", channel), ("destination", destination.url), ("problem", problem))
                }
            }
        }
        add(
            "packager_push_delay_seconds",
            .histogram,
            "Time from the publication of a slot to a playlist at the destination that lists it."
        ) {
            for (channel, destination) in destinations {
                $0.add(
                    counts: destination.delay.counts,
                    bounds: DelayHistogram.bounds.map { Double($0) / 1000 },
                    sum: destination.delay.sum.seconds,
                    ("channel", channel),
                    ("destination", destination.url)
                )
            }
        }
    }
}
