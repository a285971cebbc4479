/// An audience in the making: what was counted of some of its viewers.
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

        /// - Parameter value: Less than zero for what was not said.
        mutating func add(_ value: Int32) {
            if value >= 0 { (sum, count) = (sum + Double(value), count + 1) }
        }

        fileprivate mutating func add(_ other: Mean) { (sum, count) = (sum + other.sum, count + other.count) }

        fileprivate var value: Double? { count > 0 ? sum / count : nil }
    }

    /// Adds what was counted of other viewers.
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
