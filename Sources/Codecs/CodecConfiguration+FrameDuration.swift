package import MediaCore

extension CodecConfiguration {
    /// The duration of each frame, if the headers promise that it is the same for all; otherwise nil.
    package var declaredFrameDuration: MediaTime? {
        guard case .avc(let avc) = self else { return nil }
        let durations = avc.sequenceParameterSets.map { set in
            (try? SequenceParameterSet(set.span.bytes))?.frameDuration
        }
        guard let first = durations.first, durations.allSatisfy({ $0 == first }) else { return nil }
        return first
    }
}

extension SequenceParameterSet {
    /// The duration of each frame; nil if frames may differ, also by fields or picture structures.
    fileprivate var frameDuration: MediaTime? {
        guard usability.hasFixedFrameRate, isFramesOnly, !usability.pictureTiming.hasPictureStructure,
            let rate = usability.frameRate
        else { return nil }
        return MediaTime(Int64(rate.denominator), timescale: Int64(rate.numerator))
    }
}
