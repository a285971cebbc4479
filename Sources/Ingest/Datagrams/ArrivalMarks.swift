import NIOCore

/// The arrival times of a feed's bytes, by their place in it, as long as they may be needed.
struct ArrivalMarks {
    private struct Mark {
        /// The place behind the last of its bytes.
        var end: Int64
        var arrival: Int64
    }

    private var marks = CircularBuffer<Mark>()
    /// The bytes that were passed on in all.
    private var end: Int64 = 0

    /// The most marks that are kept; the oldest go first.
    private static let most = 8_192

    /// Notes bytes of unknown arrival.
    mutating func pass(_ byteCount: Int) { end += Int64(byteCount) }

    /// Notes bytes that were passed on.
    mutating func pass(_ piece: DatagramBatch.Datagram) {
        end += Int64(piece.byteCount)
        if marks.count == Self.most { marks.removeFirst() }
        marks.append(Mark(end: end, arrival: piece.arrival))
    }

    /// Finds the arrival of the byte before a place.
    ///
    /// - Parameter place: The place, which never goes back.
    /// - Returns: Nanoseconds of the monotonic clock; nil if unknown.
    mutating func arrival(before place: Int64) -> Int64? {
        while let first = marks.first, first.end < place { marks.removeFirst() }
        return marks.first?.arrival
    }
}
