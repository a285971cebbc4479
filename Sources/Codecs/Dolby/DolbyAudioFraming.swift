import MediaCore

/// AC-3 and Enhanced AC-3: a frame is six blocks of all substreams (ETSI TS 102 366 § F.2, F.6.1).
struct DolbyAudioFraming: AudioFraming {
    typealias Header = DolbySyncframe

    func frame(in bytes: RawSpan) throws(CodecError) -> FramedAudio<DolbySyncframe.SampleRate>? {
        // Neither `dac3` nor `dec3` has a word for it.
        guard try DolbySyncframe(bytes).stream.halvings == 0 else {
            throw .unsupported("AC-3 of a reduced sample rate")
        }
        guard let (set, length) = try substreams(of: bytes), let first = set.first else { return nil }
        return FramedAudio(
            length: length,
            samples: EAC3Configuration.samplesPerFrame,
            stream: first.stream,
            configuration: set.configuration(bytes: length)
        )
    }

    /// The most syncframes of a frame: six sets of one block, each of eight programmes with a dependent substream.
    private static let mostSyncframes = 6 * 16

    /// Returns the substreams of the frame at the start of bytes, and its length; nil if it continues beyond the end.
    func substreams(of bytes: RawSpan) throws(CodecError) -> (set: DolbySubstreams, length: Int)? {
        var set = DolbySubstreams()
        var (length, blocks, count) = (0, 0, 0)
        while length < bytes.byteCount || blocks < 6 {
            count += 1
            guard count <= Self.mostSyncframes else { throw .invalid("count of AC-3 substreams") }
            guard let syncframe = try syncframe(in: bytes.extracting(droppingFirst: length), mayEnd: blocks == 6) else {
                if blocks == 6 { break }
                return nil
            }
            if syncframe.startsSet {
                if blocks == 6 { break }
                // A set of six that lost its end.
                if blocks > 0, syncframe.isFirstOfSix { throw .invalid("count of AC-3 blocks") }
                blocks += syncframe.blocks
                guard blocks <= 6 else { throw .invalid("count of AC-3 blocks") }
            }
            guard blocks > 0 else { throw .invalid("order of AC-3 substreams") }
            if blocks == syncframe.blocks { set.append(syncframe) }
            length += syncframe.frameLength
        }
        return (set, length)
    }

    /// Returns the syncframe at the start of bytes; nil if it continues beyond them, or if there is none and `mayEnd`.
    private func syncframe(in bytes: RawSpan, mayEnd: Bool) throws(CodecError) -> DolbySyncframe? {
        do {
            let syncframe = try DolbySyncframe(bytes)
            return syncframe.frameLength <= bytes.byteCount ? syncframe : nil
        } catch {
            if mayEnd || error == .truncated { return nil }
            throw error
        }
    }

    func configuration(_ found: CodecConfiguration, after current: CodecConfiguration) -> CodecConfiguration {
        // Bit rate and objects may vary from frame to frame, and the configuration of the decoder stays.
        guard case .eac3(let found) = found, case .eac3(let current) = current,
            found.independentSubstreams == current.independentSubstreams,
            found.jointObjectCodingComplexity ?? 0 <= current.jointObjectCodingComplexity ?? 0
        else { return found }
        return .eac3(current)
    }
}
