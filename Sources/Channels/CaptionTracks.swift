import Codecs
import MediaCore
import TimedText

/// Reads captions of one video's pictures, in the order in which they are shown.
struct CaptionTracks {
    private struct Picture {
        /// The presentation time, in 90 kHz ticks.
        var time: Int64
        var triplets: [CaptionTriplet]
    }

    private var readers: [(channel: CaptionChannel, reader: any CaptionReader)]
    private let modulus: Int64?
    /// Pictures before which another one may be shown, in order.
    private var waiting: [Picture] = []
    /// The most pictures that wait, more than any encoder reorders.
    private static let mostWaiting = 32
    /// The distance, in 90 kHz ticks, beyond which pictures were not encoded together.
    private static let jump = 10 * MediaTime.timescale

    /// - Parameters:
    ///   - channels: The channels that are read.
    ///   - modulus: The value at which timestamps wrap, in 90 kHz ticks; nil if they never do.
    init(_ channels: [CaptionChannel], modulus: Int64?) {
        self.modulus = modulus
        readers = channels.map { ($0, $0.reader(modulus: modulus)) }
    }

    /// Takes pictures that have come, in the order of decoding.
    ///
    /// - Parameters:
    ///   - units: The pictures of one packet.
    ///   - packet: The times of the packet.
    /// - Returns: The cues of pictures that are shown before all that may still come.
    mutating func received(_ units: [TrackReader.Unit], _ packet: PacketInfo) -> [(CaptionChannel, FeedCue)] {
        guard let timestamp = packet.presentationTimestamp ?? packet.decodeTimestamp else { return [] }
        var cues: [(CaptionChannel, FeedCue)] = []
        for unit in units {
            let time = Timestamps.reduce(timestamp &+ unit.delay.ticks, modulus: modulus)
            // After a jump of the clock, pictures are not in order with those before.
            if let last = waiting.last, abs(distance(from: last.time, to: time)) > Self.jump {
                for picture in waiting { cues += read(picture) }
                waiting = []
            }
            let place = waiting.firstIndex { distance(from: $0.time, to: time) < 0 }
            waiting.insert(Picture(time: time, triplets: unit.captions), at: place ?? waiting.endIndex)
        }
        while let first = waiting.first, waiting.count > Self.mostWaiting || isDue(first, packet.decodeTimestamp) {
            waiting.removeFirst()
            cues += read(first)
        }
        return cues
    }

    /// Returns true if no picture that is decoded later is shown before it.
    private func isDue(_ picture: Picture, _ decodeTime: Int64?) -> Bool {
        decodeTime.map { distance(from: picture.time, to: $0) >= 0 } ?? false
    }

    private func distance(from time: Int64, to other: Int64) -> Int64 {
        Timestamps.distance(from: time, to: other, modulus: modulus)
    }

    private mutating func read(_ picture: Picture) -> [(CaptionChannel, FeedCue)] {
        var cues: [(CaptionChannel, FeedCue)] = []
        for index in readers.indices {
            let (channel, _) = readers[index]
            cues += readers[index].reader.read(picture.triplets, at: picture.time).map { (channel, $0) }
        }
        return cues
    }
}
