import CFFmpeg
import MediaCore

extension FormatContext {
    /// The parts of an input that are read.
    struct Selection {
        /// All audio and video tracks of the chosen programs, those that are not read as unsupported; a track of
        /// several programs once for each.
        var tracks: [InputTrack] = []
        /// Programs of the streams that carry timed ID3 metadata, by index.
        var metadata: [Int: Int] = [:]
        /// Programs of the streams that carry SCTE-35, by index.
        var splices: [Int: Int] = [:]
        /// PIDs of streams of type 0x86 that are not registered as SCTE-35, by the programs that have any.
        var unregisteredSplices: [Int: [Int]] = [:]
        /// Streams that have text; their tracks are among the others.
        var text: [TextStream] = []
        /// The text of an input that has nothing else.
        var textAlone: TextService?
        /// Units of the streams that are read, by index.
        var units: [TimestampUnit?] = []
        /// Numbers of all programs that have something to read; nil until every program map has come.
        var programs: [Int]?
    }

    /// Chooses the programs to read, as long as they exist; without a choice, the first program with any track.
    ///
    /// - Returns: The tracks; none before the container has named them, or if it lacks the chosen programs.
    mutating func selectTracks(of choice: ProgramChoice, subtitles: FeedSubtitles) -> Selection {
        let streams = unsafe UnsafeBufferPointer(start: pointer.pointee.streams, count: Int(pointer.pointee.nb_streams))
        let described = unsafe streams.enumerated().map { index, stream in unsafe describe(stream, index: index) }
        let texts = streams.indices.map { describeText(at: $0, subtitles) }
        let programs = programs(of: described)
        var selection = Selection()
        if container.hasProgramMap, !programs.isEmpty, programs.allSatisfy(\.isMapped) {
            selection.programs = programs.filter(\.isSupported).map(\.number)
        }
        selection.tracks = tracks(of: choice, in: programs, described)
        if selection.tracks.isEmpty {
            let isNamed = container.hasProgramMap ? selection.programs != nil : true
            if isNamed, described.allSatisfy({ $0 == nil }) {
                selection.textAlone = texts.lazy.compactMap { $0?.tracks.first?.service }.first
            }
            return selection
        }
        // Unwanted streams are not read. If none is wanted yet, packets show that program maps change.
        selection.units = [TimestampUnit?](repeating: nil, count: streams.count)
        discardPackets()
        for track in selection.tracks where track.isSupported {
            if let unit = startReading(track.index.value) { selection.units[track.index.value] = unit }
        }
        let numbers = Set(selection.tracks.compactMap(\.program))
        let read = programs.filter { numbers.contains($0.number) }
        add(texts.compactMap(\.self), of: read, to: &selection)
        addData(of: read, to: &selection)
        return selection
    }

    /// Chooses the tracks that are read.
    private mutating func tracks(
        of choice: ProgramChoice,
        in programs: [Program],
        _ described: [InputTrack?]
    ) -> [InputTrack] {
        let supported = programs.filter(\.isSupported)
        switch choice {
        case .numbers(let numbers) where container.hasProgramMap:
            // A program that goes may come back: libavformat 5.1 then knows its streams, but reads an unchanged program
            // map no second time.
            for program in supported { wantedPrograms[program.number] = program.tracks }
            return numbers.sorted().flatMap { wantedPrograms[$0] ?? [] }
        default:
            let chosen = supported.first { $0.number == chosenProgram } ?? supported.first
            chosenProgram = chosen?.number
            if let chosen { return chosen.tracks }
            if !container.hasProgramMap { return described.compactMap { $0 } }
            // Before every program map has come, libavformat guesses.
            return programs.contains(where: \.tracks.isEmpty) ? [] : programs.flatMap(\.tracks)
        }
    }

    /// Makes libavformat drop the packets of all streams.
    private func discardPackets() {
        let count = unsafe Int(pointer.pointee.nb_streams)
        for index in 0..<count {
            guard let stream = unsafe pointer.pointee.streams[index] else { continue }
            // Without a program map only the packets of a stream show its codec.
            let isNamed = unsafe container.hasProgramMap || stream.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_NONE
            unsafe stream.pointee.discard = isNamed ? AVDISCARD_ALL : AVDISCARD_DEFAULT
        }
    }

    /// Makes libavformat return the packets of a stream.
    ///
    /// - Returns: The unit of its timestamps; nil if there is no such stream.
    private func startReading(_ index: Int) -> TimestampUnit? {
        guard let stream = unsafe pointer.pointee.streams[index] else { return nil }
        unsafe stream.pointee.discard = AVDISCARD_DEFAULT
        if let codec = unsafe codecByStreamType(stream) {
            // Otherwise libavformat looks for the codec in packets, and holds back those of all streams until then.
            unsafe stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_AUDIO
            unsafe stream.pointee.codecpar.pointee.codec_id = codec
        }
        return unsafe TimestampUnit(stream)
    }

    /// Adds the texts of the chosen programs, or all texts without a program map.
    private func add(_ texts: [TextStream], of programs: [Program], to selection: inout Selection) {
        // A stream of several programs is read for the first of them.
        var textPrograms: [Int: Int] = [:]
        for program in programs {
            for index in program.text where textPrograms[index] == nil { textPrograms[index] = program.number }
        }
        for text in texts where textPrograms[text.index] != nil || !container.hasProgramMap {
            guard let unit = startReading(text.index) else { continue }
            selection.units[text.index] = unit
            var text = text
            for place in text.tracks.indices { text.tracks[place].program = textPrograms[text.index] }
            selection.text.append(text)
            selection.tracks += text.tracks
        }
    }

    /// Adds timed metadata and splices of programs that are read.
    private func addData(of programs: [Program], to selection: inout Selection) {
        for program in programs {
            for index in program.metadata + program.splices {
                if let unit = startReading(index) { selection.units[index] = unit }
            }
            for index in program.metadata { selection.metadata[index] = program.number }
            for index in program.splices { selection.splices[index] = program.number }
            if !program.unregisteredSplices.isEmpty {
                selection.unregisteredSplices[program.number] = program.unregisteredSplices
            }
        }
    }

    private struct Program {
        var number: Int
        var tracks: [InputTrack]
        /// Indexes of streams of timed ID3 metadata.
        var metadata: [Int]
        /// Indexes of streams of SCTE-35.
        var splices: [Int]
        /// PIDs of streams of type 0x86 that libavformat knows nothing of.
        var unregisteredSplices: [Int]
        /// Indexes of streams of subtitles.
        var text: [Int]
        var isMapped: Bool

        /// True if it has a track that can be read.
        var isSupported: Bool { tracks.contains(where: \.isSupported) }
    }

    private func isStream(_ index: Int, of codec: AVCodecID) -> Bool {
        let count = unsafe Int(pointer.pointee.nb_streams)
        guard index < count, let stream = unsafe pointer.pointee.streams[index],
            let parameters = unsafe stream.pointee.codecpar
        else { return false }
        return unsafe parameters.pointee.codec_id == codec
    }

    /// The PID of a stream of type 0x86 (ANSI/SCTE 35 § 8.2) that libavformat knows nothing of; nil for others.
    private func unregisteredSplices(_ index: Int) -> Int? {
        guard container.hasProgramMap, isStream(index, of: AV_CODEC_ID_NONE),
            let stream = unsafe pointer.pointee.streams[index],
            unsafe stream.pointee.codecpar.pointee.codec_tag == 0x86
        else { return nil }
        return unsafe Int(stream.pointee.id)
    }

    private func isSubtitles(_ index: Int) -> Bool {
        let count = unsafe Int(pointer.pointee.nb_streams)
        guard index < count, let stream = unsafe pointer.pointee.streams[index],
            let parameters = unsafe stream.pointee.codecpar
        else { return false }
        return unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE
    }

    private func programs(of described: [InputTrack?]) -> [Program] {
        let programs = unsafe UnsafeBufferPointer(
            start: pointer.pointee.programs,
            count: Int(pointer.pointee.nb_programs)
        )
        return unsafe programs.compactMap { program in
            guard let program = unsafe program else { return nil }
            let number = unsafe Int(program.pointee.id)
            let indices = unsafe UnsafeBufferPointer(
                start: program.pointee.stream_index,
                count: Int(program.pointee.nb_stream_indexes)
            )
            let tracks = unsafe indices.compactMap { index -> InputTrack? in
                guard Int(index) < described.count, var track = described[Int(index)] else { return nil }
                track.program = number
                return track
            }
            return Program(
                number: number,
                tracks: tracks,
                metadata: unsafe indices.map(Int.init).filter { isStream($0, of: AV_CODEC_ID_TIMED_ID3) },
                splices: unsafe indices.map(Int.init).filter { isStream($0, of: AV_CODEC_ID_SCTE_35) },
                unregisteredSplices: unsafe indices.compactMap { unregisteredSplices(Int($0)) },
                text: unsafe indices.map(Int.init).filter { isSubtitles($0) },
                isMapped: unsafe program.pointee.pmt_version >= 0
            )
        }
    }
}

extension TimestampUnit {
    fileprivate init(_ stream: UnsafeMutablePointer<AVStream>) {
        numerator = unsafe Int64(stream.pointee.time_base.num)
        denominator = unsafe Int64(stream.pointee.time_base.den)
        bits = unsafe Int(stream.pointee.pts_wrap_bits)
    }
}
