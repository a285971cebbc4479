import CFFmpeg
import MediaCore

extension FormatContext {
    /// What changes when the container announces other tracks; cheap enough to compare at every packet.
    struct Shape: Hashable {
        var streamCount: UInt32
        var programCount: UInt32
        /// Sum over the program maps of the number of their streams, and of their versions, which count their changes.
        var programStreamCount: Int
        var programVersions: Int
    }

    var shape: Shape {
        let programCount = unsafe pointer.pointee.nb_programs
        var shape = Shape(
            streamCount: unsafe pointer.pointee.nb_streams,
            programCount: programCount,
            programStreamCount: 0,
            programVersions: 0
        )
        for index in 0..<Int(programCount) {
            guard let program = unsafe pointer.pointee.programs[index] else { continue }
            shape.programStreamCount += unsafe Int(program.pointee.nb_stream_indexes)
            shape.programVersions += unsafe Int(program.pointee.pmt_version)
        }
        return shape
    }

    /// Chooses what is read: every H.264 and AAC track of the first program that has any, for as long as it has any.
    ///
    /// - Returns: All audio and video tracks of that program, those that are not read as unsupported; and the units of
    ///   the streams that are read, by index. Both are empty as long as the container has not named its tracks.
    mutating func selectTracks() -> (tracks: [InputTrack], units: [TimestampUnit?]) {
        let streams = unsafe UnsafeBufferPointer(start: pointer.pointee.streams, count: Int(pointer.pointee.nb_streams))
        let described = unsafe streams.enumerated().map { index, stream in unsafe describe(stream, index: index) }
        let programs = programs(of: described)
        let supported = programs.filter { $0.tracks.contains(where: \.isSupported) }
        let chosen = supported.first { $0.id == chosenProgram } ?? supported.first
        chosenProgram = chosen?.id
        var tracks = described.compactMap { $0 }
        if let chosen {
            tracks = chosen.tracks
        } else if hasProgramMap {
            // Until every program map has come, what libavformat says of a transport stream is a guess.
            tracks = programs.contains { $0.tracks.isEmpty } ? [] : programs.flatMap(\.tracks)
        }
        if tracks.isEmpty { return ([], []) }

        var units = [TimestampUnit?](repeating: nil, count: streams.count)
        for index in streams.indices { unsafe streams[index]?.pointee.discard = AVDISCARD_ALL }
        for track in tracks where track.isSupported {
            guard let stream = unsafe streams[track.index] else { continue }
            unsafe stream.pointee.discard = AVDISCARD_DEFAULT
            units[track.index] = unsafe TimestampUnit(stream)
        }
        return (tracks, units)
    }

    private struct Program {
        var id: Int32
        var tracks: [InputTrack]
    }

    private func programs(of described: [InputTrack?]) -> [Program] {
        let programs = unsafe UnsafeBufferPointer(
            start: pointer.pointee.programs,
            count: Int(pointer.pointee.nb_programs)
        )
        return unsafe programs.compactMap { program in
            guard let program = unsafe program else { return nil }
            let indices = unsafe UnsafeBufferPointer(
                start: program.pointee.stream_index,
                count: Int(program.pointee.nb_stream_indexes)
            )
            let tracks = unsafe indices.compactMap { Int($0) < described.count ? described[Int($0)] : nil }
            return Program(id: unsafe program.pointee.id, tracks: tracks)
        }
    }

    /// The track, or nil if it is neither audio nor video.
    private func describe(_ stream: UnsafeMutablePointer<AVStream>?, index: Int) -> InputTrack? {
        guard let stream = unsafe stream, let parameters = unsafe stream.pointee.codecpar else { return nil }
        let kind: TrackKind
        switch unsafe parameters.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO: kind = .video
        case AVMEDIA_TYPE_AUDIO: kind = .audio
        default: return nil
        }
        // A cover picture is not a video track.
        if unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 { return nil }

        let codec: InputTrack.Codec
        switch unsafe parameters.pointee.codec_id {
        case AV_CODEC_ID_H264: codec = .h264
        case AV_CODEC_ID_AAC: codec = .aac
        default: codec = .unsupported(unsafe String(cString: avcodec_get_name(parameters.pointee.codec_id)))
        }
        let header = unsafe UnsafeBufferPointer(
            start: parameters.pointee.extradata,
            count: parameters.pointee.extradata == nil ? 0 : max(0, Int(parameters.pointee.extradata_size))
        )
        let rate = unsafe av_guess_frame_rate(pointer, stream, nil)
        return InputTrack(
            index: index,
            kind: kind,
            codec: codec,
            header: unsafe Array(header),
            language: unsafe language(of: stream),
            frameRate: kind == .video && rate.num > 0 && rate.den > 0 ? Ratio(Int(rate.num), Int(rate.den)) : nil
        )
    }

    private func language(of stream: UnsafeMutablePointer<AVStream>) -> String? {
        guard let entry = unsafe av_dict_get(stream.pointee.metadata, "language", nil, 0),
            let value = unsafe entry.pointee.value
        else { return nil }
        return LanguageTag.bcp47(unsafe String(cString: value))
    }
}

extension TimestampUnit {
    fileprivate init(_ stream: UnsafeMutablePointer<AVStream>) {
        numerator = unsafe Int64(stream.pointee.time_base.num)
        denominator = unsafe Int64(stream.pointee.time_base.den)
        bits = unsafe Int(stream.pointee.pts_wrap_bits)
    }
}

extension InputTrack {
    /// Whether the packager carries it.
    var isSupported: Bool {
        if case .unsupported = codec { false } else { true }
    }
}
