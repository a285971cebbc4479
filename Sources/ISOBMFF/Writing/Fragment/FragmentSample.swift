package import MediaCore
package import NIOCore

/// A sample as a movie fragment stores it, its times in ticks of the track's timescale.
package struct FragmentSample: Sendable {
    /// Ticks until the next sample is decoded.
    package var duration: UInt32
    /// Ticks from decode time to presentation time.
    ///
    /// They are negative if the sample is decoded late, as brand cmf2 allows: the first presentation is then at the
    /// first decode time.
    package let compositionOffset: Int32
    /// True if decoding may start here.
    package let isSync: Bool
    package let payload: ByteBuffer
    /// The parts of `payload`, clear and encrypted, in order and covering it wholly; empty means that all of it is
    /// encrypted.
    package let subsamples: [Subsample]

    /// Takes a sample; `senc` counts up to 65,535 subsamples, so more are left out.
    package init(
        duration: UInt32,
        compositionOffset: Int32 = 0,
        isSync: Bool,
        payload: ByteBuffer,
        subsamples: [Subsample] = []
    ) {
        self.duration = duration
        self.compositionOffset = compositionOffset
        self.isSync = isSync
        self.payload = payload
        self.subsamples = subsamples.count <= UInt16.max ? subsamples : Array(subsamples.prefix(Int(UInt16.max)))
    }

    /// Bytes of the payload.
    var size: UInt32 { UInt32(truncatingIfNeeded: payload.readableBytes) }

    /// The flags of the sample's dependencies in `trun` and `tfhd` (ISO/IEC 14496-12 § 8.8.3.1).
    var flags: UInt32 { isSync ? Self.syncFlags : Self.nonSyncFlags }

    /// sample_depends_on 2: does not depend on others.
    static let syncFlags: UInt32 = 0x0200_0000
    /// sample_depends_on 1, sample_is_non_sync_sample 1.
    static let nonSyncFlags: UInt32 = 0x0101_0000
}
