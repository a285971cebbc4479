import CFFmpeg

/// Owns one AVPacket, which is filled and emptied again for each packet read.
@safe
struct Packet: ~Copyable {
    private let pointer: UnsafeMutablePointer<AVPacket>

    /// - Throws: If there is no memory.
    init() throws(FFmpegError) {
        guard let pointer = unsafe av_packet_alloc() else {
            throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open")
        }
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = unsafe pointer
        unsafe av_packet_free(&pointer)
    }

    /// The index of its stream in the container.
    var streamIndex: Int { unsafe Int(pointer.pointee.stream_index) }
    /// The presentation timestamp, in the track's unit; nil if the container gives none.
    var presentationTimestamp: Int64? {
        get { timestamp(unsafe pointer.pointee.pts) }
        set { unsafe pointer.pointee.pts = newValue ?? cffmpeg_no_timestamp() }
    }
    /// The decode timestamp, in the track's unit; nil if the container gives none.
    var decodeTimestamp: Int64? { timestamp(unsafe pointer.pointee.dts) }
    /// The duration in the track's unit; 0 if unknown.
    var duration: Int64 {
        get { unsafe pointer.pointee.duration }
        set { unsafe pointer.pointee.duration = newValue }
    }
    /// The offset of its beginning in the feed; nil if unknown.
    var position: Int64? { unsafe pointer.pointee.pos >= 0 ? pointer.pointee.pos : nil }
    var isCorrupt: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// True if an edit list hides it.
    var isHidden: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    var isEmpty: Bool { unsafe pointer.pointee.size <= 0 || pointer.pointee.data == nil }

    /// True if its bytes are encrypted (ISO/IEC 23001-7): libavformat passes such a packet on unchanged, with a
    /// description.
    var isEncrypted: Bool {
        guard unsafe pointer.pointee.side_data_elems > 0 else { return false }
        return unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil
    }

    /// The codec header from this packet on, if it changes.
    var newHeader: [UInt8]? {
        guard unsafe pointer.pointee.side_data_elems > 0 else { return nil }
        var size = 0
        let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size)
        guard let data = unsafe data, size > 0 else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: data, count: size))
    }

    /// The UTC of its presentation by the producer's clock, in microseconds, from RTCP sender reports (RFC 3550 §
    /// 6.4.1).
    ///
    /// libavformat 5.1 reads it from RTP and RTSP; not from `prft` boxes, nor from TEMI in transport streams.
    var producerReferenceTime: Int64? {
        guard unsafe pointer.pointee.side_data_elems > 0 else { return nil }
        var size = 0
        let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_PRFT, &size)
        guard let data = unsafe data, size >= MemoryLayout<AVProducerReferenceTime>.size else { return nil }
        return unsafe UnsafeRawPointer(data).loadUnaligned(as: AVProducerReferenceTime.self).wallclock
    }

    /// Lends the bytes, which are only there until the packet is released.
    func withPayload(_ body: (RawSpan) -> Void) {
        guard let data = unsafe pointer.pointee.data else { return }
        body(unsafe RawSpan(_unsafeStart: UnsafeRawPointer(data), byteCount: max(0, Int(pointer.pointee.size))))
    }

    /// Takes the next packet of `format`; the result is av_read_frame's.
    mutating func read(from format: UnsafeMutablePointer<AVFormatContext>) -> Int32 {
        unsafe av_read_frame(format, pointer)
    }

    /// Takes a copy of the bytes.
    ///
    /// - Throws: If there is no memory for them.
    mutating func fill(with bytes: RawSpan) throws(FFmpegError) {
        try FFmpegError.check(unsafe av_new_packet(pointer, Int32(clamping: bytes.byteCount)), "decode")
        unsafe bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress, let data = unsafe pointer.pointee.data else { return }
            unsafe UnsafeMutableRawPointer(data).copyMemory(from: start, byteCount: source.count)
        }
    }

    /// Gives it to a decoder; the result is avcodec_send_packet's.
    func send(to decoder: UnsafeMutablePointer<AVCodecContext>) -> Int32 {
        unsafe avcodec_send_packet(decoder, pointer)
    }

    /// Decodes it to a subtitle; the result is avcodec_decode_subtitle2's.
    func decode(
        with decoder: UnsafeMutablePointer<AVCodecContext>,
        into subtitle: inout AVSubtitle,
        _ isThere: inout Int32
    ) -> Int32 {
        unsafe avcodec_decode_subtitle2(decoder, &subtitle, &isThere, pointer)
    }

    /// Cue settings of WebVTT that stand beside its bytes.
    var cueSettings: String? {
        guard unsafe pointer.pointee.side_data_elems > 0 else { return nil }
        var size = 0
        let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_WEBVTT_SETTINGS, &size)
        guard let data = unsafe data, size > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
    }

    /// Takes the next packet of an encoder; the result is avcodec_receive_packet's.
    mutating func receive(from encoder: UnsafeMutablePointer<AVCodecContext>) -> Int32 {
        unsafe avcodec_receive_packet(encoder, pointer)
    }

    /// Gives the bytes back; the packet itself is used again.
    mutating func release() {
        unsafe av_packet_unref(pointer)
    }

    private func timestamp(_ value: Int64) -> Int64? {
        value == cffmpeg_no_timestamp() ? nil : value
    }
}
