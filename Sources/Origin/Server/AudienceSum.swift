/// Sums over some viewers of an audience.
struct AudienceSum {
    var viewers = 0
    var reporting = 0
    var stalled = 0
    var stalls = 0
    var bufferLength = Mean()
    var bitRate = Mean()
    var throughput = Mean()

    struct Mean {
        private var sum = 0.0
        private var count = 0.0

        /// - Parameter value: The value; negative if it is unknown.
        mutating func add(_ value: Int32) {
            if value >= 0 { (sum, count) = (sum + Double(value), count + 1) }
        }

        fileprivate mutating func add(_ other: Mean) { (sum, count) = (sum + other.sum, count + other.count) }

        fileprivate var value: Double? { count > 0 ? sum / count : nil }
    }

    /// Adds the sums over other viewers.
    mutating func add(_ other: AudienceSum) {
        viewers += other.viewers
        reporting += other.reporting
        stalled += other.stalled
        stalls += other.stalls
        bufferLength.add(other.bufferLength)
        bitRate.add(other.bitRate)
        throughput.add(other.throughput)
    }

    /// The sum of all counts.
    var audience: Audience {
        var audience = Audience()
        (audience.viewers, audience.reporting) = (viewers, reporting)
        (audience.stalled, audience.stalls) = (stalled, stalls)
        audience.bufferLength = bufferLength.value
        audience.bitRate = bitRate.value
        audience.throughput = throughput.value
        return audience
    }
}
