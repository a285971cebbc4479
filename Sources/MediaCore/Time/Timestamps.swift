/// Arithmetic on timestamps that may wrap, as 33 bits of 90 kHz do (ISO/IEC 13818-1 § 2.4.3.7).
package enum Timestamps {
    /// The number of ticks after which those of a transport stream wrap.
    package static let transportStreamModulus: Int64 = 1 << 33

    /// The way from `start` to `end`; where timestamps wrap, the shorter of the two.
    package static func distance(from start: Int64, to end: Int64, modulus: Int64?) -> Int64 {
        let distance = end &- start
        guard let modulus else { return distance }
        let forward = reduce(distance, modulus: modulus)
        return forward < modulus / 2 ? forward : forward - modulus
    }

    /// The timestamp as a clock that wraps at `modulus` shows it.
    package static func reduce(_ timestamp: Int64, modulus: Int64?) -> Int64 {
        guard let modulus else { return timestamp }
        let remainder = timestamp % modulus
        return remainder < 0 ? remainder + modulus : remainder
    }
}
