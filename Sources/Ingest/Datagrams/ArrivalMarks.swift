import NIOCore

/// The arrival of the bytes of a feed, by their place in it, for as long as somebody may ask for it.
struct ArrivalMarks {
    private struct Mark {
        /// The place behind the last of its bytes.
        var end: Int64
        var arrival: Int64
    }

    private var marks = CircularBuffer<Mark>()
    /// The bytes that were passed on in all.
    private var end: Int64 = 0

    /// Marks that are kept; of those that nobody asks for the oldest go.
    private static let most = 8_192

    /// Notes bytes whose arrival nobody knows.
    mutating func pass(_ byteCount: Int) { end += Int64(byteCount) }

    /// Notes bytes that were passed on.
    mutating func pass(_ piece: DatagramBatch.Datagram) {
        end += Int64(piece.byteCount)
        if marks.count == Self.most { marks.removeFirst() }
        marks.append(Mark(end: end, arrival: piece.arrival))
    }

    /// Finds the arrival of the byte before a place.
    ///
    /// - Parameter place: Not before the one that was asked for last.
    /// - Returns: Nanoseconds of the monotonic clock; nil where it is not known.
    mutating func arrival(before place: Int64) -> Int64? {
        while let first = marks.first, first.end < place { marks.removeFirst() }
        return marks.first?.arrival
    }
}
