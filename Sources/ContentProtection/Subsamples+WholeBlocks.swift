package import MediaCore

extension [Subsample] {
    /// The subsamples that `cenc` uses where `cbcs` uses these.
    ///
    /// CMAF (ISO/IEC 23000-19) demands protected ranges of whole blocks under `cenc`. Up to 15 bytes become clear at
    /// the front of a range, so that its end stays. Adjacent clear runs become one, and a run that is too long for an
    /// entry's 16 bits gets several entries (ISO/IEC 23001-7 § 7.2).
    package var protectingWholeBlocks: [Subsample] {
        var result: [Subsample] = []
        result.reserveCapacity(count)
        var clearBytes = 0
        func append(protected protectedBytes: UInt32) {
            while clearBytes > Int(UInt16.max) {
                result.append(Subsample(clearBytes: .max, protectedBytes: 0))
                clearBytes -= Int(UInt16.max)
            }
            result.append(Subsample(clearBytes: UInt16(clearBytes), protectedBytes: protectedBytes))
            clearBytes = 0
        }
        for subsample in self {
            let odd = subsample.protectedBytes % UInt32(CipherContext.blockSize)
            clearBytes += Int(subsample.clearBytes) + Int(odd)
            if subsample.protectedBytes > odd { append(protected: subsample.protectedBytes - odd) }
        }
        if clearBytes > 0 { append(protected: 0) }
        return result
    }
}
