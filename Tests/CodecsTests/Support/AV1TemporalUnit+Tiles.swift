import Codecs
import MediaCore

extension AV1TemporalUnitReader {
    /// Reads an array: a span needs a name for what it is a span of.
    mutating func read(_ bytes: [UInt8]) throws(CodecError) -> AV1TemporalUnit { try read(bytes.span.bytes) }
}

extension AV1TemporalUnit {
    /// Where the protected bytes lie.
    var tiles: [Range<Int>] {
        var position = 0
        return subsamples.compactMap { subsample in
            let start = position + Int(subsample.clearBytes)
            position = start + Int(subsample.protectedBytes)
            return subsample.protectedBytes > 0 ? start..<position : nil
        }
    }
}
