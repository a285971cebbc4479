import MediaCore
import Operations
import Playlists
import Presentation

/// The metrics of channels: their health, their inputs, and what they have published.
extension Metrics {
    mutating func addHealth(of channels: [ChannelStatus]) {
        add("packager_channel_score", .gauge, "Health of a channel, 0 to 100.") {
            for channel in channels { $0.add(channel.score, ("channel", channel.name)) }
        }
        add("packager_channel_live", .gauge, "1 while a channel has segments and publishes more.") {
            for channel in channels { $0.add(channel.state == .live ? 1 : 0, ("channel", channel.name)) }
        }
        add("packager_live_edge_age_seconds", .gauge, "Time since the newest published segment ended.") {
            for channel in channels {
                if let age = channel.liveEdgeAge { $0.add(age.time.seconds, ("channel", channel.name)) }
            }
        }
        add("packager_playlists_withheld", .gauge, "1 while the origin answers 503 for playlists, by reason.") {
            for channel in channels {
                for failure in channel.failures {
                    $0.add(1, ("channel", channel.name), ("reason", failure.rawValue))
                }
            }
        }
        add("packager_storage_healthy", .gauge, "1 while journal, recording or output can be written.") {
            for channel in channels {
                let targets = [
                    ("journal", channel.journal?.isHealthy), ("recording", channel.recording?.isHealthy),
                    ("output", channel.output?.isHealthy),
                ]
                for (target, isHealthy) in targets {
                    guard let isHealthy else { continue }
                    $0.add(isHealthy ? 1 : 0, ("channel", channel.name), ("target", target))
                }
            }
        }
    }

    mutating func addInputs(of channels: [ChannelStatus]) {
        func each(_ family: inout MetricFamily, _ value: (ChannelStatus.Input) -> Double?) {
            for channel in channels {
                for input in channel.inputs {
                    guard let value = value(input) else { continue }
                    family.add(value, ("channel", channel.name), ("input", input.name))
                }
            }
        }
        add("packager_input_up", .gauge, "1 while a feed is connected and brings media.") {
            each(&$0) { $0.isConnected ? 1 : 0 }
        }
        add(
            "packager_redundant_inputs_up",
            .gauge,
            "How many of an input and its backups deliver media; only for inputs with backups."
        ) { family in
            for channel in channels {
                for (name, count) in channel.redundantInputs {
                    family.add(count, ("channel", channel.name), ("input", name))
                }
            }
        }
        add("packager_on_air", .gauge, "1 while an input fills slots.") { each(&$0) { $0.isSelected ? 1 : 0 } }
        add("packager_input_score", .gauge, "Health of an input, 0 to 100.") { each(&$0) { Double($0.score) } }
        add("packager_input_bytes_per_second", .gauge, "Recent bytes a second of a feed.") {
            each(&$0) { $0.bitrate.map { Double($0) / 8 } }
        }
        add("packager_input_key_frame_age_seconds", .gauge, "Time since the last key frame.") {
            each(&$0) { $0.lastKeyFrameAge?.time.seconds }
        }
        add("packager_input_frozen", .gauge, "1 while the picture stands still.") { each(&$0) { $0.isFrozen ? 1 : 0 } }
        add("packager_input_silent", .gauge, "1 while nothing is heard.") { each(&$0) { $0.isSilent ? 1 : 0 } }
        add("packager_continuity_errors_total", .counter, "Packets of a transport stream that were missing.") {
            each(&$0) { Double($0.continuityErrors) }
        }
        add("packager_timestamp_jumps_total", .counter, "Timestamps that did not follow those before them.") {
            each(&$0) { Double($0.timestampErrors) }
        }
        addDatagramLosses(of: channels)
    }

    private mutating func addDatagramLosses(of channels: [ChannelStatus]) {
        add(
            "packager_datagrams_lost_total",
            .counter,
            "Datagrams that were lost before they were read, by place."
        ) { family in
            for channel in channels {
                for input in channel.inputs {
                    let lost = input.datagramsLost ?? DatagramLosses()
                    for (place, count) in [("network", lost.network), ("socket", lost.socket), ("reader", lost.reader)]
                    {
                        family.add(count, ("channel", channel.name), ("input", input.name), ("at", place))
                    }
                }
            }
        }
    }

    mutating func addTotals(_ channels: [(name: String, totals: WindowSnapshot.Totals)]) {
        let renditions = channels.flatMap { name, totals in
            totals.slots.sorted { $0.key.name < $1.key.name }.map { (name, $0.key.name, $0.value) }
        }
        add("packager_slots_total", .counter, "Published segments, by outcome.") {
            for (channel, rendition, slots) in renditions {
                let outcomes = [
                    ("media", slots.media), ("gap", slots.gaps), ("slate", slots.slates), ("hold", slots.holds),
                ]
                for (outcome, count) in outcomes {
                    $0.add(count, ("channel", channel), ("rendition", rendition), ("outcome", outcome))
                }
            }
        }
        add("packager_lost_seconds_total", .counter, "Published time without media of the feed.") {
            for (channel, rendition, slots) in renditions {
                $0.add(slots.lost.seconds, ("channel", channel), ("rendition", rendition))
            }
        }
        add("packager_publication_delay_seconds", .histogram, "Time from the end of a slot to its publication.") {
            for (name, totals) in channels {
                let delays = totals.publicationDelay
                $0.add(
                    counts: delays.counts,
                    bounds: DelayHistogram.bounds.map { Double($0) / 1000 },
                    sum: delays.sum.seconds,
                    ("channel", name)
                )
            }
        }
        add("packager_window_bytes", .gauge, "Memory that a channel holds.") {
            for (name, totals) in channels { $0.add(totals.bytes, ("channel", name)) }
        }
    }
}

extension ChannelStatus {
    /// The inputs that have backups, and how many of each and its backups deliver.
    fileprivate var redundantInputs: [(name: String, upCount: Int)] {
        inputs.compactMap { input in
            let backups = inputs.filter { $0.standsByFor == input.name }
            return backups.isEmpty ? nil : (input.name, ([input] + backups).count { $0.isConnected })
        }
    }
}
