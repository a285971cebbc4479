import MediaCore

/// Decodes one track to find what is in it, a few times a second.
protocol TrackExaminer: AnyObject {
    /// The next packet; what is damaged is passed over.
    func examine(_ packet: PacketInfo, payload: RawSpan) -> [ContentFinding]

    /// Packets are missing before the next.
    func interrupted()
}

/// 90 kHz ticks between two findings of a track: a fault of some seconds is timed well enough by them.
let examinationInterval = MediaTime.timescale / 5
