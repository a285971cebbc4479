import MediaCore

/// Unwraps a container's timestamps: from 33 bits (ISO/IEC 13818-1 § 2.4.3.7) to 64.
struct TimestampUnwrapper: Sendable {
    /// The number of ticks after which timestamps wrap; nil if they do not.
    let modulus: Int64?
    private var last: Int64?

    /// - Parameters:
    ///   - modulus: The number of ticks after which timestamps wrap; nil if they do not.
    ///   - reference: A value that the first timestamp is nearest to; without it the first stays unchanged.
    init(modulus: Int64?, reference: Int64? = nil) {
        self.modulus = modulus
        self.last = reference
    }

    /// The value congruent to `timestamp` that is nearest to the one before.
    mutating func unwrap(_ timestamp: Int64) -> Int64 {
        guard modulus != nil, let last else {
            self.last = timestamp
            return timestamp
        }
        let value = last + Timestamps.distance(from: last, to: timestamp, modulus: modulus)
        self.last = value
        return value
    }
}
