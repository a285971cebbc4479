import Codecs
import MediaCore

/// Makes an AAC track of another, whose audio is at the same time.
///
/// The encoder's own delay is taken out of the timestamps, and the frame that only primes a decoder is left out.
final class AudioTranscoder {
    enum Event {
        /// The AudioSpecificConfig of the frames that follow.
        case header([UInt8])
        case frame(PacketInfo, [UInt8])
        case notice(InputNotice)
    }

    let source: InputTrack
    /// AudioSpecificConfig; nil as long as it is not known.
    private(set) var header: [UInt8]?

    private let modulus: Int64?
    private let syntax: AudioFrameSyntax?
    private var decoder: AudioDecoder
    private var encoder: AudioEncoder?
    private var grid: SampleGrid?
    private var format: AudioLayout?
    /// Samples that wait for the rest of their frame, by channel, and the position of the first.
    private var pending: [[Float]] = []
    private var position: Int64 = 0
    /// The position where delivered frames begin.
    private var beginning: Int64 = 0
    private var omission = 0
    private var events: [Event] = []

    /// The first index, beyond all that libavformat numbers in practice.
    private static let firstIndex = 1 << 16
    /// The index of the track of the frames.
    private var index: InputTrackIndex { InputTrackIndex(Self.firstIndex + source.index.value) }

    /// - Parameters:
    ///   - source: The track to transcode.
    ///   - modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    /// - Throws: An error if there is no decoder for it.
    init(_ source: InputTrack, modulus: Int64?) throws(FFmpegError) {
        self.source = source
        self.modulus = modulus
        syntax = source.codec == .opus ? nil : AudioFrameSyntax(source.codec)
        decoder = try AudioDecoder(source.codec, header: source.header)
    }

    /// Returns the track of the frames, once it is known.
    func track(beside source: InputTrack) -> InputTrack? {
        guard let header else { return nil }
        var track = source
        track.index = index
        track.codec = .aac
        track.header = header
        track.transcodedFrom = source.index
        return track
    }

    /// Examines a packet to find the output track.
    ///
    /// - Returns: True if the output is known, or known to be impossible; with notices about it.
    func prepare(_ payload: RawSpan) -> (isReady: Bool, notices: [Event]) {
        syntax.forEachFrame(of: payload) { bytes, _ in
            guard format == nil, let audio = try? decoder.decode(bytes) else { return }
            open(audio.format)
        }
        guard format != nil else { return (false, []) }
        decoder.flush()
        return (true, takeEvents().filter { if case .header = $0 { false } else { true } })
    }

    /// A packet of the source came.
    func packetRead(_ info: PacketInfo, payload: RawSpan) -> [Event] {
        var timestamp = info.presentationTimestamp
        if let timestamp, let grid, grid.next != nil, grid.isJump(to: timestamp) {
            stop()
            decoder.flush()
        }
        syntax.forEachFrame(of: payload) { bytes, header in
            decode(bytes, header, at: timestamp)
            timestamp = timestamp.flatMap { timestamp in
                header.map { timestamp + MediaTime.rescale($0.samples, from: $0.sampleRate, to: MediaTime.timescale) }
            }
        }
        return takeEvents()
    }

    /// Ends the audio, or a stretch of it.
    func finish() -> [Event] {
        stop()
        return takeEvents()
    }

    private func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    private func decode(_ bytes: RawSpan, _ header: AudioFrameExtent?, at timestamp: Int64?) {
        var audio: DecodedAudio?
        do throws(FFmpegError) {
            audio = try decoder.decode(bytes)
        } catch {
            events.append(.notice(.undecodableFrame(track: source.index)))
        }
        if let audio, audio.format != format { open(audio.format) }
        guard let format else { return }
        let count = audio?.sampleCount ?? Int(header?.samples ?? grid?.samplesPerFrame ?? 0)
        guard begin(format, at: timestamp), count > 0 else { return }
        // A lost frame is replaced by silence of its length.
        append(audio?.channels ?? Array(repeating: Array(repeating: 0, count: count), count: format.channelCount))
        grid?.advance(by: count)
    }

    /// Begins with another kind of audio; pending samples are of the old kind.
    private func open(_ format: AudioLayout) {
        stop()
        self.format = format
        grid = SampleGrid(sampleRate: Int64(format.sampleRate), modulus: modulus, after: grid)
        if let obstacle = AudioEncoder.obstacle(to: format) {
            events.append(.notice(.notTranscoded(track: source.index, reason: obstacle)))
        } else {
            openEncoder(format)
        }
    }

    private func openEncoder(_ format: AudioLayout) {
        do throws(FFmpegError) {
            encoder = try AudioEncoder(format)
            guard let header = encoder?.header, header != self.header else { return }
            self.header = header
            events.append(.header(header))
        } catch {
            events.append(.notice(.notTranscoded(track: source.index, reason: error.description)))
        }
    }

    /// Returns true if the place of the audio is known, which may begin here.
    private func begin(_ format: AudioLayout, at timestamp: Int64?) -> Bool {
        if grid?.next != nil { return encoder != nil }
        guard AudioEncoder.obstacle(to: format) == nil, let timestamp, let start = grid?.begin(at: timestamp) else {
            return false
        }
        if encoder == nil { openEncoder(format) }
        (position, beginning, omission) = (start.position, start.position, start.omission)
        pending = Array(repeating: Array(repeating: 0, count: start.padding), count: format.channelCount)
        return encoder != nil
    }

    private func append(_ channels: [[Float]]) {
        let omitted = min(omission, channels.first?.count ?? 0)
        omission -= omitted
        for index in pending.indices { pending[index] += channels[index].dropFirst(omitted) }
        while let count = pending.first?.count, count >= AACConfiguration.samplesPerFrame { encodeFrame() }
    }

    private func encodeFrame() {
        do throws(FFmpegError) {
            deliver(try encoder?.encode(pending, position: position) ?? [])
        } catch {
            events.append(.notice(.notTranscoded(track: source.index, reason: error.description)))
        }
        position += SampleGrid.frame
        for index in pending.indices {
            pending[index].removeFirst(min(AACConfiguration.samplesPerFrame, pending[index].count))
        }
    }

    /// Ends the present run, at the end of a frame.
    private func stop() {
        guard grid?.next != nil else { return }
        if pending.first?.isEmpty == false { encodeFrame() }
        do throws(FFmpegError) {
            deliver(try encoder?.finish() ?? [])
        } catch {
            events.append(.notice(.notTranscoded(track: source.index, reason: error.description)))
        }
        encoder = nil
        pending = []
        grid?.stop(at: position)
    }

    private func deliver(_ frames: [AudioEncoder.Frame]) {
        guard let grid else { return }
        for frame in frames where beginning..<max(beginning, position + SampleGrid.frame) ~= frame.position {
            let timestamp = grid.ticks(frame.position)
            let end = grid.ticks(frame.position + SampleGrid.frame)
            let info = PacketInfo(
                trackIndex: index,
                presentationTimestamp: timestamp,
                decodeTimestamp: timestamp,
                duration: Timestamps.distance(from: timestamp, to: end, modulus: modulus)
            )
            events.append(.frame(info, frame.bytes))
        }
    }
}
