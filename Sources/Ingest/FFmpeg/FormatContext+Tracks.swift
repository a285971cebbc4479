import CFFmpeg
import MediaCore

extension FormatContext {
    /// A value that changes when the container announces other tracks; cheap enough to compare at every packet.
    struct Shape: Hashable {
        var streamCount: UInt32
        var programCount: UInt32
        /// Sum over the program maps of the number of their streams, and of their versions, which count their changes.
        var programStreamCount: Int
        var programVersions: Int
        /// Sum over the streams of their codecs, which some containers know only later, and others change.
        var codecs: Int
    }

    var shape: Shape {
        let programCount = unsafe pointer.pointee.nb_programs
        var shape = Shape(
            streamCount: unsafe pointer.pointee.nb_streams,
            programCount: programCount,
            programStreamCount: 0,
            programVersions: 0,
            codecs: 0
        )
        for index in 0..<Int(shape.streamCount) {
            guard let parameters = unsafe pointer.pointee.streams[index]?.pointee.codecpar else { continue }
            shape.codecs &+= unsafe (index + 1) &* Int(parameters.pointee.codec_id.rawValue)
        }
        for index in 0..<Int(programCount) {
            guard let program = unsafe pointer.pointee.programs[index] else { continue }
            shape.programStreamCount += unsafe Int(program.pointee.nb_stream_indexes)
            shape.programVersions += unsafe Int(program.pointee.pmt_version)
        }
        return shape
    }

    /// The track, or nil if it is neither audio nor video.
    func describe(_ stream: UnsafeMutablePointer<AVStream>?, index: Int) -> InputTrack? {
        guard let stream = unsafe stream, let parameters = unsafe stream.pointee.codecpar else { return nil }
        let kind: MediaKind
        let codecByStreamType = unsafe codecByStreamType(stream)
        switch unsafe parameters.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO: kind = .video
        case AVMEDIA_TYPE_AUDIO: kind = .audio
        case _ where codecByStreamType != nil: kind = .audio
        default: return nil
        }
        // A cover picture is not a video track.
        if unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 { return nil }

        let header = unsafe UnsafeBufferPointer(
            start: parameters.pointee.extradata,
            count: parameters.pointee.extradata == nil ? 0 : max(0, Int(parameters.pointee.extradata_size))
        )
        let rate = unsafe av_guess_frame_rate(pointer, stream, nil)
        var track = InputTrack(
            index: InputTrackIndex(index),
            kind: kind,
            codec: InputTrack.Codec(unsafe codecByStreamType ?? parameters.pointee.codec_id),
            header: unsafe Array(header),
            language: unsafe language(of: stream),
            frameRate: kind == .video && rate.num > 0 && rate.den > 0
                ? Ratio(Int(rate.num), Int(rate.den)).plausibleFrameRate : nil
        )
        let description = AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_DESCRIPTIONS
        track.isAudioDescription = unsafe kind == .audio && stream.pointee.disposition & description != 0
        track.dolbyVision = unsafe dolbyVision(of: stream)
        track.rotation = unsafe rotation(of: stream)
        // Matroska says so of a track (RFC 9559 § 5.1.4.1.31.12), MP4 of each packet.
        track.isEncrypted = unsafe av_dict_get(stream.pointee.metadata, "enc_key_id", nil, 0) != nil
        return track
    }

    /// The codec of audio that libavformat leaves open, by the stream type in the program map (ISO/IEC 13818-1 table
    /// 2-34, ATSC A/52 annex G); nil for other streams, and once libavformat knows it.
    func codecByStreamType(_ stream: UnsafeMutablePointer<AVStream>) -> AVCodecID? {
        guard container.hasProgramMap, let parameters = unsafe stream.pointee.codecpar,
            unsafe parameters.pointee.codec_id == AV_CODEC_ID_NONE
        else { return nil }
        return switch unsafe parameters.pointee.codec_tag {
        case 0x11: AV_CODEC_ID_AAC_LATM
        case 0x2D, 0x2E: AV_CODEC_ID_MPEGH_3D_AUDIO
        case 0x87: AV_CODEC_ID_EAC3
        default: nil
        }
    }

    /// The configuration in a transport stream's descriptor, a `dvcC` or `dvvC` box, or a block addition mapping.
    private func dolbyVision(of stream: UnsafeMutablePointer<AVStream>) -> DolbyVisionConfiguration? {
        var size = 0
        let data = unsafe av_stream_get_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size)
        guard let data = unsafe data, size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size else { return nil }
        let record = unsafe UnsafeRawPointer(data).loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
        return DolbyVisionConfiguration(
            versionMajor: record.dv_version_major,
            versionMinor: record.dv_version_minor,
            profile: record.dv_profile,
            level: record.dv_level,
            hasReferenceProcessingUnit: record.rpu_present_flag != 0,
            hasEnhancementLayer: record.el_present_flag != 0,
            hasBaseLayer: record.bl_present_flag != 0,
            compatibilityID: record.dv_bl_signal_compatibility_id
        )
    }

    /// The rotation by a track header's matrix (ISO/IEC 14496-12 § 8.3.2), in 16.16 fixed point.
    private func rotation(of stream: UnsafeMutablePointer<AVStream>) -> PictureRotation? {
        var size = 0
        let data = unsafe av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
        guard let data = unsafe data, size >= 9 * MemoryLayout<Int32>.size else { return PictureRotation.none }
        let matrix = [0, 1, 3, 4].map { index in
            unsafe UnsafeRawPointer(data).loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
        }
        let rotations: [PictureRotation] = [.none, .quarter, .half, .threeQuarters]
        return rotations.first { rotation in
            let wanted = rotation.matrix
            return matrix == [wanted.a, wanted.b, wanted.c, wanted.d].map { $0 << 16 }
        }
    }

    private func language(of stream: UnsafeMutablePointer<AVStream>) -> String? {
        guard let entry = unsafe av_dict_get(stream.pointee.metadata, "language", nil, 0),
            let value = unsafe entry.pointee.value
        else { return nil }
        return LanguageTag.bcp47(unsafe String(cString: value))
    }
}

extension InputTrack.Codec {
    fileprivate init(_ id: AVCodecID) {
        self =
            switch id {
            case AV_CODEC_ID_H264: .h264
            case AV_CODEC_ID_HEVC: .hevc
            case AV_CODEC_ID_AV1: .av1
            case AV_CODEC_ID_AAC: .aac
            case AV_CODEC_ID_AC3: .ac3
            case AV_CODEC_ID_EAC3: .eac3
            case AV_CODEC_ID_MP2: .mp2
            case AV_CODEC_ID_MP3: .mp3
            case AV_CODEC_ID_OPUS: .opus
            case AV_CODEC_ID_FLAC: .flac
            case AV_CODEC_ID_ALAC: .alac
            default: .unsupported(unsafe String(cString: avcodec_get_name(id)))
            }
    }
}

extension InputTrack {
    /// True if the packager can read it.
    var isSupported: Bool {
        if case .unsupported = codec { false } else { !isEncrypted }
    }
}
