import MediaCore

/// Decodes one track and examines it a few times a second.
protocol TrackExaminer: AnyObject {
    /// Takes the next packet; damaged ones are skipped.
    func examine(_ packet: PacketInfo, payload: RawSpan) -> [ContentFinding]

    /// Packets are missing before the next.
    func interrupted()
}

/// 90 kHz ticks between two findings of a track: a fault of some seconds is timed well enough by them.
let examinationInterval = MediaTime.timescale / 5
