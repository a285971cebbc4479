/// Times of 33 bits, in ticks of 90 kHz.
package enum TransportTime {
    static let modulus: Int64 = 1 << 33

    /// The time by which `time` is later, by less than half the modulus either way.
    package static func distance(from start: Int64, to time: Int64) -> Int64 {
        let distance = (time &- start) & (modulus - 1)
        return distance < modulus / 2 ? distance : distance - modulus
    }
}
