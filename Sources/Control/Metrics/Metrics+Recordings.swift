import MediaCore
import Operations

/// The metrics of recordings.
extension Metrics {
    mutating func addRecordings(of channels: [ChannelStatus]) {
        func each(_ family: inout MetricFamily, _ value: (ChannelStatus.Recording) -> Double?) {
            for channel in channels {
                guard let value = channel.recording.flatMap(value) else { continue }
                family.add(value, ("channel", channel.name))
            }
        }
        add("packager_recording_bytes", .gauge, "Disk space of a recording.") {
            each(&$0) { Double($0.bytes) }
        }
        add(
            "packager_recording_start_timestamp_seconds",
            .gauge,
            "Start of a recording, in seconds since 1970."
        ) {
            each(&$0) { $0.start?.time.seconds }
        }
        add("packager_recording_end_timestamp_seconds", .gauge, "End of a recording so far, in seconds since 1970.") {
            each(&$0) { $0.end?.time.seconds }
        }
        add("packager_recording_slots_removed_early_total", .counter, "Slots that were removed early, to free space.") {
            each(&$0) { Double($0.removedEarly) }
        }
        add("packager_recording_slots_late_total", .counter, "Slots that viewers had before they were recorded.") {
            each(&$0) { Double($0.late) }
        }
        add("packager_recording_slots_lost_total", .counter, "Slots that were not recorded: gaps in the past.") {
            each(&$0) { Double($0.lost) }
        }
        add("packager_recording_slots_filled_total", .counter, "Slots that were copied from the peer.") {
            each(&$0) { $0.healing.map { Double($0.filled) } }
        }
        add("packager_recording_slots_missing", .gauge, "Slots that still lack something.") {
            each(&$0) { $0.healing.map { Double($0.missing) } }
        }
        add(
            "packager_recording_peer_refusals_total",
            .counter,
            "Answers and segments of the peer that the recording has refused."
        ) {
            each(&$0) { $0.healing.map { Double($0.refused) } }
        }
    }
}
