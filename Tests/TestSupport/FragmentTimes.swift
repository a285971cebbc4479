package import Foundation

/// Reads when the samples of movie fragments are presented, as ISO/IEC 14496-12 § 8.8 says.
///
/// FFmpeg's demuxer cannot be asked: it moves all times by the least composition offset that it has seen so far.
package enum FragmentTimes {
    /// - Parameters:
    ///   - initialization: A media initialization section of one track.
    ///   - segments: In order.
    /// - Returns: Presentation times in the order of presentation, in 90 kHz ticks, rounded.
    package static func presentation(initialization: Data, segments: [Data]) -> [Int64] {
        let header = Bytes([UInt8](initialization))
        guard let media = header.descend(["moov", "trak", "mdia", "mdhd"]).first else { return [] }
        let timescale = Double(
            header.integer(at: media.lowerBound + (header.bytes[media.lowerBound] == 1 ? 20 : 12), 4)
        )
        let extends = header.descend(["moov", "mvex", "trex"]).first
        let defaultDuration = extends.map { header.integer(at: $0.lowerBound + 12, 4) } ?? 0
        let times = segments.flatMap { Bytes([UInt8]($0)).samples(defaultDuration: defaultDuration).map(\.time) }
        return times.sorted().map { Int64((Double($0) * 90_000 / timescale).rounded()) }
    }

    /// - Parameters:
    ///   - initialization: A media initialization section of one track.
    ///   - segment: One of its segments.
    /// - Returns: How long its samples are, in the track's timescale.
    package static func durations(initialization: Data, segment: Data) -> [Int64] {
        let header = Bytes([UInt8](initialization))
        let extends = header.descend(["moov", "mvex", "trex"]).first
        let defaultDuration = extends.map { header.integer(at: $0.lowerBound + 12, 4) } ?? 0
        return Bytes([UInt8](segment)).samples(defaultDuration: defaultDuration).map(\.duration)
    }
}

private struct Bytes {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func integer(at position: Int, _ count: Int) -> Int64 {
        guard position + count <= bytes.count else { return 0 }
        return bytes[position..<position + count].reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The contents of all boxes at the end of a path of types.
    func descend(_ path: [String], in range: Range<Int>? = nil) -> [Range<Int>] {
        guard let type = path.first else { return range.map { [$0] } ?? [] }
        var found: [Range<Int>] = []
        let range = range ?? 0..<bytes.count
        var start = range.lowerBound
        while start + 8 <= range.upperBound, case let size = Int(integer(at: start, 4)), size >= 8 {
            let end = min(start + size, range.upperBound)
            if bytes[start + 4..<start + 8].elementsEqual(type.utf8) {
                found += descend(Array(path.dropFirst()), in: start + 8..<end)
            }
            start += size
        }
        return found
    }

    /// The times when samples are presented, and their lengths.
    func samples(defaultDuration: Int64) -> [(time: Int64, duration: Int64)] {
        descend(["moof", "traf"]).flatMap { track -> [(time: Int64, duration: Int64)] in
            var duration = defaultDuration
            if let header = descend(["tfhd"], in: track).first {
                let flags = integer(at: header.lowerBound + 1, 3)
                var position = header.lowerBound + 8
                for (flag, size) in [(Int64(1), 8), (2, 4)] where flags & flag != 0 { position += size }
                if flags & 8 != 0 { duration = integer(at: position, 4) }
            }
            guard let time = descend(["tfdt"], in: track).first else { return [] }
            var decode = integer(at: time.lowerBound + 4, bytes[time.lowerBound] == 1 ? 8 : 4)
            return descend(["trun"], in: track).flatMap { run(at: $0.lowerBound, decode: &decode, duration: duration) }
        }
    }

    /// One track fragment run box.
    private func run(at start: Int, decode: inout Int64, duration: Int64) -> [(time: Int64, duration: Int64)] {
        let flags = integer(at: start + 1, 3)
        var position = start + 8
        for flag in [Int64(1), 4] where flags & flag != 0 { position += 4 }
        return (0..<integer(at: start + 4, 4)).map { _ in
            var (own, offset) = (duration, Int64(0))
            for flag in [Int64(0x100), 0x200, 0x400, 0x800] where flags & flag != 0 {
                if flag == 0x100 { own = integer(at: position, 4) }
                if flag == 0x800 { offset = Int64(Int32(truncatingIfNeeded: integer(at: position, 4))) }
                position += 4
            }
            defer { decode += own }
            return (decode + offset, own)
        }
    }
}
