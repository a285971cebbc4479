import MediaCore

/// Makes one unending timeline of the rounds of a looped file.
///
/// Each round is moved by the length of those before it, so that a round's first decode timestamps follow the end of
/// the round before it. A round is as long as the longest of its tracks: no track ever runs backwards, and one that is
/// as long as the longest runs on without a seam.
struct LoopTimeline: Hashable, Sendable {
    /// The number of 90 kHz ticks after which timestamps wrap.
    var modulus: Int64?
    /// The time that is added to the file's timestamps in this round, in 90 kHz ticks.
    private(set) var offset: Int64 = 0
    /// The span of each track in this round, by track index.
    private var spans: [Span?] = []

    /// The first and the last decode timestamp of a track.
    private struct Span: Hashable {
        var latest: Int64
        var step: Int64
        var length: Int64 = 0
    }

    init(modulus: Int64? = nil) {
        self.modulus = modulus
    }

    /// Moves a packet from the file's timeline to the unending one.
    mutating func packetRead(_ packet: inout PacketInfo) {
        if let timestamp = packet.decodeTimestamp ?? packet.presentationTimestamp {
            extend(track: packet.trackIndex.value, to: timestamp, duration: packet.duration)
        }
        packet.decodeTimestamp = packet.decodeTimestamp.map(shifted)
        packet.presentationTimestamp = packet.presentationTimestamp.map(shifted)
    }

    /// The file came to its end and starts over.
    mutating func roundEnded() {
        let length = spans.lazy.compactMap { $0 }.map { $0.length &+ $0.step }.max() ?? 0
        offset = Timestamps.reduce(offset &+ length, modulus: modulus)
        spans.removeAll(keepingCapacity: true)
    }

    private func shifted(_ timestamp: Int64) -> Int64 {
        Timestamps.reduce(timestamp &+ offset, modulus: modulus)
    }

    private mutating func extend(track: Int, to timestamp: Int64, duration: Int64) {
        while spans.count <= track { spans.append(nil) }
        guard var span = spans[track] else {
            spans[track] = Span(latest: timestamp, step: duration)
            return
        }
        let step = Timestamps.distance(from: span.latest, to: timestamp, modulus: modulus)
        span.latest = timestamp
        span.length &+= step
        // A packet without a duration lasts as long as the one before it did.
        span.step = duration > 0 ? duration : step
        spans[track] = span
    }
}
