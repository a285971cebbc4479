/// The values that the samples of a fragment share, so that `tfhd` says them once and `trun` need not (ISO/IEC 14496-12
/// § 8.8.7, 8.8.8); nil if they differ.
struct SampleDefaults: Hashable {
    var duration: UInt32?
    var size: UInt32?
    /// Flags of all samples, or of all but the first if there are ``firstFlags``.
    var flags: UInt32?
    /// Flags of the first sample, if only that one differs.
    var firstFlags: UInt32?
    var hasCompositionOffsets: Bool

    /// Compares samples.
    ///
    /// - Parameter samples: At least one.
    init(_ samples: [FragmentSample]) {
        let samples = samples.span
        let (firstDuration, firstSize, first) = (samples[0].duration, samples[0].size, samples[0].flags)
        let second = samples.count > 1 ? samples[1].flags : first
        var (sameDuration, sameSize, sameFlags) = (true, true, true)
        var offsets: Int32 = 0
        for index in samples.indices {
            sameDuration = sameDuration && samples[index].duration == firstDuration
            sameSize = sameSize && samples[index].size == firstSize
            sameFlags = sameFlags && (index == 0 || samples[index].flags == second)
            offsets |= samples[index].compositionOffset
        }
        duration = sameDuration ? firstDuration : nil
        size = sameSize ? firstSize : nil
        flags = sameFlags ? second : nil
        firstFlags = sameFlags && first != second ? first : nil
        hasCompositionOffsets = offsets != 0
    }
}
