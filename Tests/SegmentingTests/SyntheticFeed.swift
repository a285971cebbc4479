import MediaCore
import TestSupport

/// A feed made of timestamps alone: a video track, optionally an audio track, as a transport stream carries them.
struct SyntheticFeed {
    /// Frames a second as a ratio: 30000/1001.
    var frameRate = Ratio(25, 1)
    var framesPerGOP = 25
    /// Pictures that are decoded before they are shown.
    var bFrames = 2
    var hasAudio = true
    var audioRate = 48_000
    /// The speed of the encoder's clock beyond that of UTC, in parts per million.
    var drift = 0
    /// The first timestamp, in ticks.
    var firstTimestamp: Int64 = 126_000
    /// The most that a packet is late, in ticks.
    var jitter: Int64 = 0
    var isWrapping = true

    struct Packet {
        var info: PacketInfo
        var isSync: Bool
        /// The time of arrival, in UTC.
        var arrival: MediaTime
    }

    /// Packets in order of arrival, for `duration` from `start`.
    ///
    /// - Parameters:
    ///   - start: UTC of the first arrival.
    ///   - from: Media time at which to begin; the feed is the same wherever it begins.
    ///   - duration: How much of it.
    ///   - generator: For jitter.
    ///   - body: Gets each packet.
    func packets(
        start: MediaTime,
        from: MediaTime = .zero,
        duration: MediaTime,
        generator: inout SeededGenerator,
        body: (Packet) -> Void
    ) {
        let frame = { (index: Int64) in
            MediaTime.rescale(index * Int64(frameRate.denominator), from: Int64(frameRate.numerator), to: 90_000)
        }
        var index = Int64(0)
        var audioIndex = Int64(0)
        while frame(index) < from.ticks { index += Int64(framesPerGOP) }
        while audioTime(audioIndex) < frame(index) { audioIndex += 1 }
        let first = frame(index)
        let reorder = Int64(bFrames)
        while frame(index) < from.ticks + duration.ticks {
            let media = frame(index)
            while hasAudio, audioTime(audioIndex) <= media {
                let time = audioTime(audioIndex)
                body(packet(1, decode: time, presentation: time, media: time - first, start, true, &generator))
                audioIndex += 1
            }
            // Decode order I P b b P b b …: position in the mini group decides when it is shown.
            let inGOP = index % Int64(framesPerGOP)
            var shown = index
            if reorder > 0, inGOP > 0 {
                let group = (inGOP - 1) % (reorder + 1)
                let groupStart = inGOP - group
                let size = min(reorder + 1, Int64(framesPerGOP) - groupStart)
                shown = group == 0 ? index + size - 1 : index - 1
            }
            let isSync = inGOP == 0
            body(
                packet(
                    0,
                    decode: media,
                    presentation: frame(shown) + frame(reorder > 0 ? 1 : 0),
                    media: media - first,
                    start,
                    isSync,
                    &generator
                )
            )
            index += 1
        }
    }

    private func audioTime(_ index: Int64) -> Int64 {
        MediaTime.rescale(index * 1024, from: Int64(audioRate), to: 90_000)
    }

    private func packet(
        _ track: Int,
        decode: Int64,
        presentation: Int64,
        media: Int64,
        _ start: MediaTime,
        _ isSync: Bool,
        _ generator: inout SeededGenerator
    ) -> Packet {
        let modulus: Int64 = 1 << 33
        let raw = { (time: Int64) in isWrapping ? (time + firstTimestamp) % modulus : time + firstTimestamp }
        // An encoder that runs fast delivers a second of media in less than a second.
        let elapsed = media - media / 1_000_000 * Int64(drift) - media % 1_000_000 * Int64(drift) / 1_000_000
        let late = jitter > 0 ? Int64.random(in: 0...jitter, using: &generator) : 0
        return Packet(
            info: PacketInfo(
                trackIndex: InputTrackIndex(track),
                presentationTimestamp: raw(presentation),
                decodeTimestamp: raw(decode)
            ),
            isSync: isSync,
            arrival: start + MediaTime(ticks: elapsed + late)
        )
    }
}
