import MediaCore
import NIOCore

/// The identity of a sample of a soak run in its last bytes, which encryption leaves clear.
struct SoakIdentity: Hashable {
    /// The time in UTC at which it is seen or heard, in ticks.
    var utc: Int64
    /// Its timestamp, of 33 bits; 0 if that says nothing of UTC.
    var timestamp: Int64

    static let byteCount = 12

    /// Seven bits a byte, none of them zero, so that nothing looks like a start code.
    func write(to payload: inout [UInt8]) {
        for shift in stride(from: Int64(42), through: 0, by: -7) { payload.append(Self.byte(utc >> shift)) }
        for shift in stride(from: Int64(28), through: 0, by: -7) { payload.append(Self.byte(timestamp >> shift)) }
    }

    init(utc: Int64, timestamp: Int64) {
        self.utc = utc
        self.timestamp = timestamp
    }

    /// Reads it from the end of a sample; nil if that is none of ours, such as silence.
    init?(_ segment: ByteBuffer, sample: Range<Int>) {
        guard sample.count > Self.byteCount else { return nil }
        let tail = segment.viewBytes(at: sample.upperBound - Self.byteCount, length: Self.byteCount)
        guard let tail, tail.allSatisfy({ $0 & 0x80 != 0 }) else { return nil }
        utc = tail.prefix(7).reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
        timestamp = tail.dropFirst(7).reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
    }

    private static func byte(_ value: Int64) -> UInt8 { UInt8(truncatingIfNeeded: value) | 0x80 }
}
