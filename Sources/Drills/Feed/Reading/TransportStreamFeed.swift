import Codecs
import Foundation
import MPEGTS
import MediaCore

/// A sample of a transport stream, read once and repeated without end.
///
/// Its source timeline is such that the first picture of round 0 is presented at zero and round `n` follows `n` periods
/// later. If that timeline is UTC, the picture at a time depends on the time only, and not on any process's start.
struct TransportStreamFeed: Sendable {
    let tables: ProgramTables
    /// The streams in the order of the program map.
    let streams: [FeedStream]
    /// The length of a round, which is that of its video, so that video continues without a seam.
    let period: MediaTime
    /// The longest time from decoding to presentation of a unit.
    let reordering: MediaTime

    /// Reads a file.
    ///
    /// - Throws: ``TransportStreamError``, or what Foundation finds wrong with the file.
    init(path: String) throws {
        try self.init(Array(Data(contentsOf: URL(filePath: path))))
    }

    /// Reads a stream, which must start with a key frame and miss nothing but the ends of its last units.
    init(_ bytes: [UInt8]) throws(TransportStreamError) {
        let collected = try TransportUnitCollector(bytes).units
        tables = try ProgramTables(collected)
        var streams: [FeedStream] = []
        for entry in tables.map.streams {
            // Sections of private data are in program maps, too.
            guard let units = collected[entry.pid], let first = units.first, PESHeader.isPES(first.bytes) else {
                continue
            }
            streams.append(try FeedStream(entry, units))
        }
        guard let main = streams.first(where: \.isVideo) ?? streams.first else { throw .noStream }
        guard main.units[0].isKey else { throw .noKeyFrameAtStart }

        // Timestamps must not run backwards at the end of a round: units that do not fit are left out.
        let period = main.length
        for index in streams.indices {
            streams[index].period = period
            while streams[index].units.count > 2, streams[index].length > period { streams[index].units.removeLast() }
        }
        streams.removeAll { $0.length > period }

        // All wraps are undone; streams are moved to the wrap in which they are nearest to the first picture.
        let origin = main.units[0].presentationTime
        for index in streams.indices {
            let distance = (streams[index].units[0].presentationTime - origin).ticks
            let shift = origin + MediaTime(ticks: distance - Self.distance(from: 0, to: distance))
            for unit in streams[index].units.indices {
                streams[index].units[unit].decodeTime -= shift
                streams[index].units[unit].presentationTime -= shift
            }
        }
        self.streams = streams
        self.period = period
        reordering = streams.flatMap(\.units).map { $0.presentationTime - $0.decodeTime }.max() ?? .zero
    }

    /// The shorter way around the wrap.
    static func distance(from start: Int64, to end: Int64) -> Int64 {
        Timestamps.distance(from: start, to: end, modulus: Timestamps.transportStreamModulus)
    }

    /// The stream whose key frames are the places to start at: video if there is any.
    var main: FeedStream { streams.first(where: \.isVideo) ?? streams[0] }
}

extension FeedStream {
    /// AAC in ADTS (ISO/IEC 13818-1 table 2-34); a PES packet may hold several frames.
    private static let adtsType: UInt8 = 0x0F

    fileprivate init(
        _ entry: ProgramMap.Stream,
        _ collected: [TransportUnitCollector.Unit]
    ) throws(TransportStreamError) {
        var units: [FeedUnit] = []
        var streamID: UInt8 = 0
        for (place, unit) in collected.enumerated() {
            guard let (header, range) = PESHeader.read(unit.bytes), let times = header.times, !range.isEmpty else {
                // The last unit of a recorded stream has no next one.
                if place == collected.count - 1 { break }
                throw .malformedUnit(pid: entry.pid, offset: unit.offset)
            }
            streamID = header.streamID
            let previous = units.last?.decodeTime.ticks ?? times.decode
            let decode = previous + TransportStreamFeed.distance(from: previous, to: times.decode)
            let presentation = decode + TransportStreamFeed.distance(from: decode, to: times.presentation)
            let payload = unit.bytes[range]
            var frames = [payload]
            var frequency = MediaTime.timescale
            if entry.type == Self.adtsType {
                guard let split = Self.adtsFrames(of: payload) else {
                    throw .malformedUnit(pid: entry.pid, offset: unit.offset)
                }
                (frames, frequency) = split
            }
            for (index, frame) in frames.enumerated() {
                let offset = MediaTime(Int64(index * AACConfiguration.samplesPerFrame), timescale: frequency)
                units.append(
                    FeedUnit(
                        decodeTime: MediaTime(ticks: decode) + offset,
                        presentationTime: MediaTime(ticks: presentation) + offset,
                        isKey: unit.isRandomAccess || entry.type == Self.adtsType,
                        payload: Array(frame)
                    )
                )
            }
        }
        guard units.count > 1 else { throw .noStream }
        guard zip(units, units.dropFirst()).allSatisfy({ $0.decodeTime < $1.decodeTime }) else {
            throw .unorderedTimestamps(pid: entry.pid)
        }
        self.init(pid: entry.pid, type: entry.type, streamID: streamID, units: units)
    }

    /// Splits a PES packet's payload, which must hold whole frames; nil if it does not.
    ///
    /// - Returns: The frames with their headers, and the sampling frequency in hertz.
    static func adtsFrames(of payload: ArraySlice<UInt8>) -> (frames: [ArraySlice<UInt8>], frequency: Int64)? {
        var rest = payload
        var frames: [ArraySlice<UInt8>] = []
        var frequency: Int64?
        while !rest.isEmpty {
            // Timestamps are counted by frames, so each has one raw data block.
            guard let header = AudioFrameSyntax.adts.wholeHeader(rest.span.bytes), header.byteCount <= rest.count,
                header.samples == AACConfiguration.samplesPerFrame, frequency ?? header.sampleRate == header.sampleRate
            else { return nil }
            frequency = header.sampleRate
            frames.append(rest.prefix(header.byteCount))
            rest = rest.dropFirst(header.byteCount)
        }
        return frequency.map { (frames, $0) }
    }
}
