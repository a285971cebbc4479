import Codecs
import MediaCore
import TimedText

/// Reads captions of one video's pictures, in the order in which they are shown.
struct CaptionTracks {
    private struct Picture {
        /// In 90 kHz ticks.
        var time: Int64
        var triplets: [CaptionTriplet]
    }

    private enum Reader {
        case line21(Line21Reader)
        case service(CaptionServiceReader)
    }

    private var readers: [(channel: CaptionChannel, reader: Reader)]
    private let modulus: Int64?
    /// Pictures before which another one may be shown, in order.
    private var waiting: [Picture] = []
    /// More than any encoder reorders.
    private static let mostWaiting = 32

    /// - Parameters:
    ///   - channels: Those that are read.
    ///   - modulus: Where timestamps wrap, in 90 kHz ticks; nil if never.
    init(_ channels: [CaptionChannel], modulus: Int64?) {
        self.modulus = modulus
        readers = channels.map { channel in
            switch channel {
            case .line21(let number): (channel, .line21(Line21Reader(channel: number, modulus: modulus)))
            case .service(let number): (channel, .service(CaptionServiceReader(service: number, modulus: modulus)))
            }
        }
    }

    /// Pictures came, in the order of decoding.
    ///
    /// - Parameters:
    ///   - units: Of one packet.
    ///   - packet: Its times.
    /// - Returns: Cues of what is shown before all that may still come.
    mutating func received(_ units: [TrackReader.Unit], _ packet: PacketInfo) -> [(CaptionChannel, FeedCue)] {
        guard let timestamp = packet.presentationTimestamp ?? packet.decodeTimestamp else { return [] }
        for unit in units {
            let time = Timestamps.reduce(timestamp &+ unit.delay.ticks, modulus: modulus)
            insert(Picture(time: time, triplets: unit.captions))
        }
        var cues: [(CaptionChannel, FeedCue)] = []
        while let first = waiting.first, waiting.count > Self.mostWaiting || isDue(first, packet.decodeTimestamp) {
            waiting.removeFirst()
            cues += read(first)
        }
        return cues
    }

    /// Whether nothing that is decoded later is shown before it.
    private func isDue(_ picture: Picture, _ decodeTime: Int64?) -> Bool {
        guard let decodeTime else { return false }
        return Timestamps.distance(from: picture.time, to: decodeTime, modulus: modulus) >= 0
    }

    private mutating func insert(_ picture: Picture) {
        // Behind a jump of the clock nothing is in order with what was before.
        let jump = 10 * MediaTime.timescale
        if let last = waiting.last, abs(Timestamps.distance(from: last.time, to: picture.time, modulus: modulus)) > jump
        {
            waiting = []
        }
        let place = waiting.firstIndex {
            Timestamps.distance(from: $0.time, to: picture.time, modulus: modulus) < 0
        }
        waiting.insert(picture, at: place ?? waiting.endIndex)
    }

    private mutating func read(_ picture: Picture) -> [(CaptionChannel, FeedCue)] {
        var cues: [(CaptionChannel, FeedCue)] = []
        for index in readers.indices {
            let channel = readers[index].channel
            switch readers[index].reader {
            case .line21(var reader):
                cues += reader.read(picture.triplets, at: picture.time).map { (channel, $0) }
                readers[index].reader = .line21(reader)
            case .service(var reader):
                cues += reader.read(picture.triplets, at: picture.time).map { (channel, $0) }
                readers[index].reader = .service(reader)
            }
        }
        return cues
    }
}
