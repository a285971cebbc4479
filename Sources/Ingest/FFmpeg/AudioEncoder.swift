import CFFmpeg
import MediaCore

/// Owns libavcodec's AAC-LC encoder.
struct AudioEncoder: ~Copyable {
    private let context: CodecContext
    private var packet: Packet
    let format: AudioLayout
    /// AudioSpecificConfig.
    let header: [UInt8]

    /// An AAC frame, decoded to the 1024 samples that begin at `position`.
    struct Frame {
        var position: Int64
        var bytes: [UInt8]
    }

    /// Hz that have an index in AudioSpecificConfig (ISO/IEC 14496-3 table 1.18).
    private static let sampleRates: Set<Int> = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]
    /// The layouts with a number in AudioSpecificConfig up to 6 (table 1.19): 1, 2, 3, 4, 5 and 5.1 channels, surround
    /// at the back.
    private static let channelMasks: Set<UInt64> = [AudioLayout.mono, AudioLayout.stereo, 0x7, 0x107, 0x37, 0x3F]
    private static let (back, side): (UInt64, UInt64) = (0x30, 0x600)

    /// The reason why AAC cannot carry such audio; nil if it can.
    static func obstacle(to format: AudioLayout) -> String? {
        guard sampleRates.contains(format.sampleRate) else {
            return "AAC has no sample rate of \(format.sampleRate) Hz"
        }
        guard channelMasks.contains(carried(format.channelMask)) else {
            return "AAC has no channel configuration for these \(format.channelCount) channels"
        }
        return nil
    }

    /// Surround channels are at the back for AAC and at the side for AC-3: the same loudspeakers.
    private static func carried(_ mask: UInt64) -> UInt64 {
        mask & (back | side) == side ? mask & ~side | back : mask
    }

    /// - Parameter format: One to which there is no ``obstacle(to:)``.
    /// - Throws: An error if libavcodec cannot open it.
    init(_ format: AudioLayout) throws(FFmpegError) {
        guard let encoder = unsafe avcodec_find_encoder_by_name("aac") else {
            throw FFmpegError(code: cffmpeg_error_encoder_not_found(), operation: "open codec")
        }
        let context = unsafe try CodecContext(encoder)
        let (pointer, frame) = unsafe (context.pointer, context.frame)
        let mask = Self.carried(format.channelMask)
        let rate = Int32(clamping: format.sampleRate)
        unsafe pointer.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
        unsafe pointer.pointee.sample_rate = rate
        unsafe pointer.pointee.time_base = AVRational(num: 1, den: rate)
        unsafe pointer.pointee.profile = FF_PROFILE_AAC_LOW
        // 64 kbit/s for each channel at 48 kHz, and at least 96 kbit/s.
        unsafe pointer.pointee.bit_rate = Int64(max(96_000, format.sampleRate * format.channelCount * 4 / 3))
        // Without the version of libavcodec in the first frame.
        unsafe pointer.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        unsafe av_channel_layout_from_mask(&pointer.pointee.ch_layout, mask)
        try context.open()
        unsafe frame.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        unsafe frame.pointee.nb_samples = Int32(AACConfiguration.samplesPerFrame)
        unsafe frame.pointee.sample_rate = rate
        unsafe av_channel_layout_from_mask(&frame.pointee.ch_layout, mask)
        try FFmpegError.check(unsafe av_frame_get_buffer(frame, 0), "open codec")
        packet = try Packet()
        self.format = format
        header = unsafe Array(
            UnsafeBufferPointer(start: pointer.pointee.extradata, count: Int(pointer.pointee.extradata_size))
        )
        self.context = context
    }

    /// Encodes the next 1024 samples.
    ///
    /// - Parameters:
    ///   - channels: Samples of each channel, in the format's order; those beyond 1024 are left.
    ///   - position: The position of the first sample.
    /// - Returns: The frames that are ready by now: the encoder is some frames behind.
    /// - Throws: The error of libavcodec.
    mutating func encode(_ channels: [[Float]], position: Int64) throws(FFmpegError) -> [Frame] {
        try FFmpegError.check(unsafe av_frame_make_writable(context.frame), "encode")
        for (channel, samples) in channels.prefix(format.channelCount).enumerated() {
            guard let plane = unsafe context.frame.pointee.extended_data[channel] else { continue }
            let count = min(samples.count, AACConfiguration.samplesPerFrame)
            unsafe plane.withMemoryRebound(to: Float.self, capacity: AACConfiguration.samplesPerFrame) { plane in
                unsafe samples.withUnsafeBufferPointer { samples in
                    if let start = samples.baseAddress { unsafe plane.update(from: start, count: count) }
                }
                for index in count..<AACConfiguration.samplesPerFrame { unsafe plane[index] = 0 }
            }
        }
        unsafe context.frame.pointee.pts = position
        try FFmpegError.check(unsafe avcodec_send_frame(context.pointer, context.frame), "encode")
        return try receive()
    }

    /// Ends the stream.
    ///
    /// - Returns: The frames that were still to come; the encoder is of no use afterwards.
    /// - Throws: The error of libavcodec.
    mutating func finish() throws(FFmpegError) -> [Frame] {
        try FFmpegError.check(unsafe avcodec_send_frame(context.pointer, nil), "encode")
        return try receive()
    }

    private mutating func receive() throws(FFmpegError) -> [Frame] {
        var frames: [Frame] = []
        while true {
            let result = unsafe packet.receive(from: context.pointer)
            if result == FFmpegError.tryAgain || result == FFmpegError.endOfFile { return frames }
            try FFmpegError.check(result, "encode")
            // libavcodec stamps a packet with the time of its decoded audio, so the first one's lies ahead.
            if let position = packet.presentationTimestamp {
                var bytes: [UInt8] = []
                packet.withPayload { bytes = $0.array }
                frames.append(Frame(position: position, bytes: bytes))
            }
            packet.release()
        }
    }
}
