/// Lets a number of occurrences through in each period, and no more.
package struct BurstLimit: Sendable {
    private let most: Int
    private let period: MediaTime
    private var begin = MediaTime.zero
    private var count = 0

    /// - Parameters:
    ///   - most: The occurrences of a period that are let through.
    ///   - period: The time after the first of them.
    package init(_ most: Int, in period: MediaTime) {
        (self.most, self.period) = (most, period)
    }

    /// Notes an occurrence.
    ///
    /// - Parameter now: The time; it may go back.
    /// - Returns: True if it is let through.
    package mutating func admits(at now: MediaTime) -> Bool {
        if count == 0 || now < begin || now - begin >= period { (begin, count) = (now, 0) }
        count += 1
        return count <= most
    }
}
