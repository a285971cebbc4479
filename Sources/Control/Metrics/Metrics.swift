import MediaCore
import Operations
import Playlists
import Presentation

/// The metrics of a process, for a monitoring system.
///
/// Everything is made of what is known anyway, when it is asked for: between two scrapes metrics cost nothing. Labels are
/// those of the configuration, and words of ours: there are as many series as the channels make, however many watch.
package struct Metrics {
    private(set) var families: [MetricFamily] = []

    /// - Parameters:
    ///   - version: The version of the program.
    ///   - channels: The status of each channel.
    ///   - totals: The counts of each channel, by name.
    ///   - origin: The state of the origin.
    ///   - events: The numbers of events.
    ///   - archive: The health of the archive of events; nil if there is none.
    ///   - webhooks: The state of each webhook.
    ///   - refusals: Requests that the control API has refused, by status.
    ///   - process: Its resources.
    init(
        version: String,
        channels: [ChannelStatus],
        totals: [String: WindowSnapshot.Totals],
        origin: OriginStatus,
        events: [EventLog.Count: Int],
        archive: EventArchiveHealth? = nil,
        webhooks: [WebhookStatus] = [],
        refusals: [Int: Int] = [:],
        process: ProcessUsage = ProcessUsage()
    ) {
        add("packager_build_info", .gauge, "The version of the program; always 1.") {
            $0.add(1, ("version", version))
        }
        addHealth(of: channels)
        addRecordings(of: channels)
        addInputs(of: channels)
        addDestinations(of: channels)
        addTotals(channels.compactMap { channel in totals[channel.name].map { (channel.name, $0) } })
        add("packager_events_total", .counter, "Events by channel and kind, as in /events.") { family in
            for (count, number) in events.sorted(by: {
                ($0.key.channel, $0.key.kind.rawValue) < ($1.key.channel, $1.key.kind.rawValue)
            }) {
                family.add(number, ("channel", count.channel), ("kind", count.kind.rawValue))
            }
        }
        if let archive { addArchive(archive) }
        addWebhooks(webhooks)
        add("packager_control_refusals_total", .counter, "Requests that the control API has refused, by status.") {
            for (code, count) in refusals.sorted(by: { $0.key < $1.key }) { $0.add(count, ("code", "\(code)")) }
        }
        addAudiences(channels)
        addOrigin(origin)
        add(process)
    }

    /// The text that Prometheus reads.
    var text: String { families.map(\.text).joined() }

    mutating func add(
        _ name: String,
        _ kind: MetricFamily.Kind,
        _ help: String,
        _ fill: (inout MetricFamily) -> Void
    ) {
        var family = MetricFamily(name, kind, help)
        fill(&family)
        families.append(family)
    }

    private mutating func addArchive(_ archive: EventArchiveHealth) {
        add("packager_event_archive_healthy", .gauge, "1 while events are kept on disk.") {
            $0.add(archive.problem == nil ? 1 : 0)
        }
        add("packager_event_archive_bytes", .gauge, "Disk space of events.") { $0.add(archive.bytes) }
        add("packager_events_unkept_total", .counter, "Events that are not on disk because it could not be written.") {
            $0.add(archive.unkept)
        }
    }

    private mutating func addWebhooks(_ webhooks: [WebhookStatus]) {
        add("packager_webhook_healthy", .gauge, "1 while a webhook accepts its events.") {
            for hook in webhooks { $0.add(hook.problem == nil ? 1 : 0, ("webhook", hook.name)) }
        }
        add("packager_webhook_events_waiting", .gauge, "Events in memory that a webhook has not taken yet.") {
            for hook in webhooks { $0.add(hook.waiting, ("webhook", hook.name)) }
        }
        add("packager_webhook_events_total", .counter, "Events for a webhook, by outcome.") {
            for hook in webhooks {
                $0.add(hook.delivered, ("webhook", hook.name), ("outcome", "delivered"))
                $0.add(hook.dropped, ("webhook", hook.name), ("outcome", "dropped"))
            }
        }
    }

    private mutating func addAudiences(_ channels: [ChannelStatus]) {
        func each(_ family: inout MetricFamily, _ value: (ChannelStatus.Audience) -> Double?) {
            for channel in channels {
                guard let value = value(channel.audience ?? ChannelStatus.Audience()) else { continue }
                family.add(value, ("channel", channel.name))
            }
        }
        add("packager_viewers", .gauge, "Clients that asked for media within the last 30 seconds.") {
            each(&$0) { Double($0.viewers) }
        }
        add("packager_viewers_reporting", .gauge, "Viewers whose players report by CMCD.") {
            each(&$0) { Double($0.reporting) }
        }
        add("packager_viewers_stalled", .gauge, "Viewers who ran out of media within the last minute, by CMCD.") {
            each(&$0) { Double($0.stalled) }
        }
        add("packager_viewer_stalls_total", .counter, "Stalls of viewers, by CMCD.") {
            each(&$0) { Double($0.stalls) }
        }
        add("packager_viewer_buffer_seconds", .gauge, "Average buffer of players, by CMCD.") {
            each(&$0) { $0.bufferLength?.time.seconds }
        }
        add("packager_viewer_requested_bits_per_second", .gauge, "Average bit rate that players request, by CMCD.") {
            each(&$0) { $0.bitrate.map(Double.init) }
        }
        add("packager_viewer_throughput_bits_per_second", .gauge, "Average throughput that players measure, by CMCD.") {
            each(&$0) { $0.throughput.map(Double.init) }
        }
    }

    private mutating func addOrigin(_ origin: OriginStatus) {
        add("packager_connections", .gauge, "Connections to the origin that are open.") { $0.add(origin.connections) }
        add("packager_connections_maximum", .gauge, "Limit of connections to the origin.") {
            $0.add(origin.maximumConnections)
        }
        add("packager_connections_lost_total", .counter, "Connections closed or refused because of a limit.") {
            let limits = [
                ("displaced", origin.displaced), ("full", origin.refused), ("address", origin.displacedByAddress),
                ("descriptors", origin.outOfDescriptors),
            ]
            for (limit, count) in limits { $0.add(count, ("limit", limit)) }
        }
        add("packager_http_requests_total", .counter, "Requests to the origin that were answered.") {
            for answered in origin.answered {
                $0.add(answered.requests, ("kind", answered.kind), ("code", answered.code))
            }
        }
        add("packager_http_response_bytes_total", .counter, "Bytes of the bodies of those answers.") {
            for answered in origin.answered {
                $0.add(answered.bytes, ("kind", answered.kind), ("code", answered.code))
            }
        }
        addKeys(origin)
        add("packager_certificate_expiry_timestamp_seconds", .gauge, "The end of a listener's certificate.") {
            for certificate in origin.certificates {
                $0.add(certificate.expiry.time.seconds, ("listener", certificate.listener))
            }
        }
    }

    /// Adds metrics under the names that every client library of Prometheus has for them.
    private mutating func add(_ process: ProcessUsage) {
        func add(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Double?) {
            self.add("process_\(name)", kind, help) { if let value { $0.add(value) } }
        }
        add("cpu_seconds_total", .counter, "Total user and system CPU time spent in seconds.", process.cpuSeconds)
        add("resident_memory_bytes", .gauge, "Resident memory size in bytes.", process.residentBytes.map(Double.init))
        add("open_fds", .gauge, "Number of open file descriptors.", process.openFiles.map(Double.init))
        add("max_fds", .gauge, "Maximum number of open file descriptors.", process.maximumFiles.map(Double.init))
        add(
            "start_time_seconds",
            .gauge,
            "Start time of the process since unix epoch in seconds.",
            process.startSeconds
        )
    }

    private mutating func addKeys(_ origin: OriginStatus) {
        guard let keys = origin.keys else { return }
        add("packager_keys_total", .counter, "Requests for keys, by answer.") {
            $0.add(keys.granted, ("answer", "granted"))
            for (reason, count) in keys.refused.sorted(by: { $0.key < $1.key }) { $0.add(count, ("answer", reason)) }
        }
    }
}
