/// Counts on where a container's timestamps wrap: from 33 bits (ISO/IEC 13818-1 § 2.4.3.7) to 64.
package struct TimestampUnwrapper: Sendable {
    /// Where timestamps wrap, in ticks; nil if they do not.
    package let modulus: Int64?
    private var last: Int64?

    /// - Parameters:
    ///   - modulus: Where timestamps wrap, in ticks; nil if they do not.
    ///   - reference: A value that the first timestamp is nearest to; without it the first is taken as it is.
    package init(modulus: Int64?, reference: Int64? = nil) {
        self.modulus = modulus
        self.last = reference
    }

    /// The value congruent to `timestamp` that is nearest to the one before.
    package mutating func unwrap(_ timestamp: Int64) -> Int64 {
        guard let modulus, let last else {
            self.last = timestamp
            return timestamp
        }
        var distance = (timestamp - last) % modulus
        if distance >= modulus / 2 { distance -= modulus }
        if distance < -(modulus / 2) { distance += modulus }
        let value = last + distance
        self.last = value
        return value
    }
}
