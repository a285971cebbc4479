import CFFmpeg

/// PCM of one frame, each channel for itself.
struct DecodedAudio: Hashable, Sendable {
    var format: AudioLayout
    /// Samples between -1 and 1, but for overshoot; all channels are of the same length.
    var channels: [[Float]]

    var sampleCount: Int { channels.first?.count ?? 0 }
}

/// The sample rate of audio, and the positions of its channels.
struct AudioLayout: Hashable, Sendable {
    /// Hz.
    var sampleRate: Int
    /// A bit for each channel, as libavutil numbers them; channels come in the order of their bits.
    var channelMask: UInt64

    var channelCount: Int { channelMask.nonzeroBitCount }
}

extension DecodedAudio {
    /// Reads a decoder's frame; fails if its sample format is unknown or its channels are not in native order.
    init?(_ frame: UnsafeMutablePointer<AVFrame>) {
        let count = unsafe Int(frame.pointee.nb_samples)
        let channelCount = unsafe Int(frame.pointee.ch_layout.nb_channels)
        let format = unsafe AVSampleFormat(frame.pointee.format)
        guard count > 0, channelCount > 0, channelCount <= 64, let planes = unsafe frame.pointee.extended_data,
            let mask = unsafe Self.mask(frame.pointee.ch_layout), mask.nonzeroBitCount == channelCount
        else { return nil }
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        let step = isPlanar ? 1 : channelCount
        var channels: [[Float]] = []
        for channel in 0..<channelCount {
            guard let plane = unsafe planes[isPlanar ? channel : 0] else { return nil }
            let first = isPlanar ? 0 : channel
            switch av_get_packed_sample_fmt(format) {
            case AV_SAMPLE_FMT_FLT:
                channels.append(
                    unsafe plane.withMemoryRebound(to: Float.self, capacity: count * step) { samples in
                        (0..<count).map { unsafe samples[first + $0 * step] }
                    }
                )
            case AV_SAMPLE_FMT_S16:
                channels.append(
                    unsafe plane.withMemoryRebound(to: Int16.self, capacity: count * step) { samples in
                        (0..<count).map { unsafe Float(samples[first + $0 * step]) / 0x1p15 }
                    }
                )
            case AV_SAMPLE_FMT_S32:
                channels.append(
                    unsafe plane.withMemoryRebound(to: Int32.self, capacity: count * step) { samples in
                        (0..<count).map { unsafe Float(samples[first + $0 * step]) / 0x1p31 }
                    }
                )
            default:
                return nil
            }
        }
        self.channels = channels
        self.format = unsafe AudioLayout(sampleRate: Int(frame.pointee.sample_rate), channelMask: mask)
    }

    private static func mask(_ layout: AVChannelLayout) -> UInt64? {
        switch unsafe (layout.order, layout.nb_channels) {
        case (AV_CHANNEL_ORDER_NATIVE, _): unsafe layout.u.mask
        // The layout of one or two channels is clear.
        case (AV_CHANNEL_ORDER_UNSPEC, 1): AudioLayout.mono
        case (AV_CHANNEL_ORDER_UNSPEC, 2): AudioLayout.stereo
        default: nil
        }
    }
}

extension AudioLayout {
    static let mono: UInt64 = 0x4
    static let stereo: UInt64 = 0x3
}
