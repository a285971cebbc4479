import Codecs
import MediaCore

/// The state of a stream that is read.
struct InputStream {
    let unit: TimestampUnit
    var clock: FrameClock?
    /// The clock of audio whose timestamps are rounded.
    var coarseClock: CoarseClock?
    /// The track that the stream is.
    private let track: InputTrack?
    /// True if libavformat parses it: then a packet has the producer reference time of the next one, which libavformat
    /// reads to find its end.
    private(set) var isParsed = false
    /// True if a control header stands ahead of each frame.
    private(set) var hasControlHeaders = false
    /// The producer reference time of the next packet, if it has one.
    var nextReferenceTime: MediaTime?
    /// Pictures that are not to be shown, of video where packets are pictures.
    var hidden: HiddenPictures?
    // For streams whose packets need not be whole frames or pictures.
    private var frames: FrameAssembler?
    private var accessUnits: AccessUnitAssembler?

    /// - Parameters:
    ///   - unit: The unit of its timestamps.
    ///   - track: The track that the stream is; nil if it is not one.
    ///   - hasProgramMap: True if packets are PES packets.
    init(unit: TimestampUnit, track: InputTrack?, hasProgramMap: Bool) {
        self.unit = unit
        self.track = track
        guard let track else { return }
        let codec = track.codec
        coarseClock = CoarseClock(track, unit: unit)
        let isVideo = [.h264, .hevc].contains(codec)
        if codec == .aac { clock = FrameClock() }
        guard hasProgramMap else {
            isParsed = isVideo
            if isVideo || codec == .av1 { hidden = HiddenPictures() }
            // A packet may be one syncframe, and have fewer blocks than a frame.
            if codec == .eac3 { setFrames(.dolby) }
            return
        }
        hasControlHeaders = codec == .opus
        if isVideo {
            accessUnits = AccessUnitAssembler(codec == .hevc ? HEVCAccessUnitReader.self : AVCAccessUnitReader.self)
        }
        if let syntax = AudioFrameSyntax(codec) { setFrames(syntax) }
    }

    /// Returns true if a stream of that unit and track is read as this one is.
    func reads(_ track: InputTrack?, in unit: TimestampUnit) -> Bool {
        let hasOwnHeader = coarseClock != nil && track?.header != self.track?.header
        return unit == self.unit && track?.codec == self.track?.codec && !hasOwnHeader
    }

    private mutating func setFrames(_ syntax: AudioFrameSyntax) {
        clock = FrameClock(syntax: syntax)
        frames = FrameAssembler(syntax: syntax)
    }

    /// A packet came from libavformat.
    mutating func packetRead(_ info: PacketInfo, payload: RawSpan) -> AssembledPayload {
        frames?.packetRead(info, payload: payload)
            ?? accessUnits?.packetRead(info, payload: payload)
            ?? AssembledPayload(whole: 0..<payload.byteCount)
    }

    /// Ends the stream: the held access unit is complete.
    mutating func finish() -> AssembledPayload.Part? { accessUnits?.finish() }
}
