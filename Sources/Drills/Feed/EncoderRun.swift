import MPEGTS
import MediaCore

/// One run of an encoder, from start to end: the access units that it sends, with their times and timestamps.
struct EncoderRun: Sendable {
    let configuration: FeedConfiguration
    let clock: EncoderClock
    let start: MediaTime
    /// The time when it dies; nil if it does not.
    let end: MediaTime?
    /// The time that is added to the source timeline to make timestamps of it, but for jumps.
    private let timestampOffset: MediaTime
    private var cursors: [Cursor] = []
    /// The payload that each PID sends while it is frozen.
    private var frozen: [UInt16: [UInt8]] = [:]
    /// The samples that are encoded, each from its beginning on.
    private(set) var parts: [Part] = []

    /// A sample while it is encoded.
    struct Part: Sendable {
        var sample: TransportStreamFeed
        /// The times when its first key frame is sent, presented and decoded.
        var begin: MediaTime
        var presentation: MediaTime
        var decode: MediaTime
    }

    private struct Cursor {
        var part: Int
        var stream: FeedStream
        /// Counts the streams of its kind.
        var track: Int
        var index: Int64
        var begin: MediaTime
    }

    /// - Parameters:
    ///   - configuration: The feed that is encoded.
    ///   - source: The source timeline's time at the drill's start.
    ///   - start: The time when the encoder starts. Its first key frame comes later.
    ///   - end: The time when it dies.
    ///   - timestampOffset: The time that is added to the source timeline to make timestamps of it.
    init(
        _ configuration: FeedConfiguration,
        source: MediaTime,
        from start: MediaTime,
        until end: MediaTime?,
        timestampOffset: MediaTime
    ) {
        self.configuration = configuration
        self.start = start
        self.end = end
        self.timestampOffset = timestampOffset
        clock = EncoderClock(wall: start, source: source + start, schedule: configuration.schedule)
        setParts()
        for part in parts.indices {
            var tracks = (video: 0, audio: 0)
            for stream in parts[part].sample.streams {
                var index = stream.index(decodedFrom: parts[part].decode)
                // Audio of pictures that were never sent would have no picture.
                while stream.unit(index).presentationTime < parts[part].presentation { index += 1 }
                let track = stream.isVideo ? tracks.video : tracks.audio
                if stream.isVideo { tracks.video += 1 } else { tracks.audio += 1 }
                let begin = wall(stream.unit(index).decodeTime)
                cursors.append(Cursor(part: part, stream: stream, track: track, index: index, begin: begin))
            }
        }
    }

    private mutating func setParts() {
        let changes = configuration.schedule.faults.filter {
            if case .configurationChange = $0.fault { true } else { false }
        }
        let times = Set(changes.flatMap { [$0.start, $0.end ?? $0.start] }.filter { $0 > start }).sorted()
        for time in [start] + times {
            let path = configuration.schedule.active(at: time) {
                if case .configurationChange(let path) = $0 { path } else { nil }
            }.last
            let part = firstPart(of: path.flatMap { configuration.alternates[$0] } ?? configuration.sample, from: time)
            // A run that would end before its first key frame does not happen.
            while let last = parts.last, last.begin >= part.begin { parts.removeLast() }
            parts.append(part)
        }
    }

    private func firstPart(of sample: TransportStreamFeed, from time: MediaTime) -> Part {
        let main = sample.main
        let source = clock.source(at: time)
        var unit: FeedUnit
        var index = main.index(decodedFrom: source - sample.reordering)
        repeat {
            unit = main.unit(index)
            index += 1
            // A picture that was taken before that was not seen by this encoder.
        } while !unit.isKey || unit.presentationTime < source
        let begin = wall(unit.decodeTime)
        return Part(sample: sample, begin: begin, presentation: unit.presentationTime, decode: unit.decodeTime)
    }

    /// The time when a unit that is decoded at `time` starts to be sent.
    private func wall(_ time: MediaTime) -> MediaTime { clock.wall(at: time + configuration.delay) }

    /// The time that makes timestamps of times on the source timeline, now.
    func timestampOffset(at time: MediaTime) -> MediaTime {
        timestampOffset + configuration.schedule.jump(after: start, until: time)
    }

    /// The next unit, in order of sending; nil if there is none before the encoder dies.
    mutating func next() -> SentUnit? {
        guard let place = cursors.indices.min(by: { cursors[$0].begin < cursors[$1].begin }) else { return nil }
        let cursor = cursors[place]
        if let end, cursor.begin >= end { return nil }
        let unit = cursor.stream.unit(cursor.index)
        if isCut(unit, in: cursor) {
            cursors.remove(at: place)
            return next()
        }
        let end = wall(cursor.stream.unit(cursor.index + 1).decodeTime)
        cursors[place].index += 1
        cursors[place].begin = end
        return sent(unit, of: cursor, until: end)
    }

    /// Returns true if the next part's encoder has taken over.
    private func isCut(_ unit: FeedUnit, in cursor: Cursor) -> Bool {
        guard cursor.part + 1 < parts.count else { return false }
        let next = parts[cursor.part + 1]
        return unit.presentationTime >= next.presentation || cursor.stream.isVideo && unit.decodeTime >= next.decode
    }

    private mutating func sent(_ unit: FeedUnit, of cursor: Cursor, until end: MediaTime) -> SentUnit {
        let (stream, time) = (cursor.stream, cursor.begin)
        let offset = timestampOffset(at: time)
        var sent = SentUnit(
            part: cursor.part,
            begin: time,
            end: end,
            pid: stream.pid,
            header: PESHeader(
                streamID: stream.streamID,
                times: PESHeader.Times(
                    presentation: (unit.presentationTime + offset).ticks,
                    decode: (unit.decodeTime + offset).ticks
                )
            ),
            isKey: unit.isKey,
            payload: unit.payload
        )
        for fault in configuration.schedule.active(at: time, { $0 }) {
            switch fault {
            case .encoderFrozen(let freezesAudio) where stream.isVideo || freezesAudio:
                sent.payload = frozen[stream.pid]
                sent.isKey = unit.isKey && !stream.isVideo
            case .videoLost where stream.isVideo: sent.payload = nil
            case .audioLost(let track) where stream.isAudio && track ?? cursor.track == cursor.track:
                sent.payload = nil
            default: break
            }
        }
        if !(stream.isVideo && sent.isKey), let payload = sent.payload { frozen[stream.pid] = payload }
        return sent
    }
}
