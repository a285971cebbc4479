import MediaCore

/// The access units of one PID, and their endless repetition.
///
/// Unit `n` of the repetition is unit `n mod count` of the sample, later by as many periods as there were rounds
/// before: it depends on nothing but `n`.
struct FeedStream: Sendable {
    var pid: UInt16
    /// stream_type of the program map (ISO/IEC 13818-1 table 2-34).
    var type: UInt8
    var streamID: UInt8
    /// The access units in the order of decoding; at least two.
    var units: [FeedUnit]
    /// The time from one round to the next.
    var period: MediaTime = .zero

    var isVideo: Bool { streamID & 0xF0 == 0xE0 }
    var isAudio: Bool { streamID & 0xE0 == 0xC0 }

    /// The time from the first unit's decode time to the end of the last one, which lasts as long as the one before it.
    var length: MediaTime {
        let (first, last) = (units[0].decodeTime, units[units.count - 1].decodeTime)
        return last - first + (last - units[units.count - 2].decodeTime)
    }

    /// Unit `index` of the repetition, which counts from the start of the source timeline and may be negative.
    func unit(_ index: Int64) -> FeedUnit {
        let (round, place) = index.flooredQuotientAndRemainder(dividingBy: Int64(units.count))
        var unit = units[Int(place)]
        unit.decodeTime += period * round
        unit.presentationTime += period * round
        return unit
    }

    /// The first unit of the repetition that is decoded at `time` or later.
    func index(decodedFrom time: MediaTime) -> Int64 {
        let first = units[0].decodeTime
        let (round, place) = (time - first).ticks.flooredQuotientAndRemainder(dividingBy: period.ticks)
        let target = first + MediaTime(ticks: place)
        var range = 0..<units.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = units[middle].decodeTime < target ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return round * Int64(units.count) + Int64(range.lowerBound)
    }
}
