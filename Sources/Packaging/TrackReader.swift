import Codecs
import MediaCore
import NIOCore

/// Reads one track's packets into the samples that they carry.
struct TrackReader: Sendable {
    /// A sample before it has its place on the timeline.
    struct Unit: Sendable {
        var payload: ByteBuffer
        var subsamples: [Subsample] = []
        var isSync: Bool
        /// As ``Sample/isSkippedLeading``.
        var isSkippedLeading = false
        /// As ``Sample/soundLength``.
        var soundLength = 0
        /// What it is decoded with.
        var configuration: CodecConfiguration
        /// How long after the packet's timestamp it is due: later frames or pictures of one packet.
        ///
        /// Before zero it began in an earlier packet.
        var delay = MediaTime.zero
        /// What the picture is labelled with, where that was asked for.
        var timecode: Timecode?
        /// Captions in the picture.
        var captions = CaptionServices()
    }

    // One of them, changed in place: to copy a reader is to retain all that it holds.
    private var avc: AVCAccessUnitReader?
    private var hevc: HEVCAccessUnitReader?
    private var av1: AV1TemporalUnitReader?
    private var audio: (any AudioFrameReader)?
    /// A configuration that came between sync samples waits for the next one.
    private var active: CodecConfiguration?
    private var pictureClock = PictureClock()
    private let dolbyVision: DolbyVisionConfiguration?

    /// - Parameters:
    ///   - track: As its container describes it.
    ///   - wantsSubsamples: Whether samples will be encrypted.
    ///   - wantsTimecode: Whether pictures are looked through for their labels.
    /// - Throws: ``CodecError`` where the codec header is broken.
    init?(track: InputTrack, wantsSubsamples: Bool, wantsTimecode: Bool = false) throws(CodecError) {
        dolbyVision = track.dolbyVision
        switch track.codec {
        case .h264:
            avc = try AVCAccessUnitReader(header: track.header, wantsSubsamples: wantsSubsamples)
            avc?.wantsTimecode = wantsTimecode
            avc?.wantsCaptions = true
        case .hevc:
            hevc = try HEVCAccessUnitReader(header: track.header, wantsSubsamples: wantsSubsamples)
            hevc?.wantsTimecode = wantsTimecode
            hevc?.wantsCaptions = true
        case .av1:
            av1 = try AV1TemporalUnitReader(header: track.header, wantsSubsamples: wantsSubsamples)
            av1?.wantsTimecode = wantsTimecode
        case .unsupported:
            return nil
        default:
            audio = try track.audioFrameReader(objectTypeHint: track.objectTypeHint ?? 2)
        }
    }

    /// Reads a packet.
    ///
    /// - Throws: ``CodecError`` where its bytes make no sample.
    mutating func read(_ packet: PacketInfo, _ payload: RawSpan) throws(CodecError) -> [Unit] {
        audio == nil ? try readPictures(packet, payload) : try readFrames(payload)
    }

    private mutating func readPictures(_ packet: PacketInfo, _ payload: RawSpan) throws(CodecError) -> [Unit] {
        var units: [Unit] = []
        var rest = payload
        repeat {
            let (unit, byteCount): (Unit?, Int)
            do {
                (unit, byteCount) = try readPicture(rest)
            } catch {
                // What was read before it is as good as ever.
                if units.isEmpty { throw error }
                break
            }
            guard byteCount > 0 else { break }
            rest = rest.extracting(droppingFirst: byteCount)
            if let unit { units.append(unit) }
        } while !rest.isEmpty
        pictureClock.packetRead(packet, pictures: units.count)
        for index in units.indices.dropFirst() {
            units[index].delay = pictureClock.duration(frameRate: active?.picture?.frameRate) * Int64(index)
        }
        return units
    }

    /// Reads the first picture of what is left of a packet.
    ///
    /// - Returns: The picture, nil where there is none or nothing to decode it with; and the bytes that were read.
    private mutating func readPicture(_ payload: RawSpan) throws(CodecError) -> (Unit?, Int) {
        if let unit = try avc?.read(payload) {
            if unit.hasPicture, unit.isIDR || active == nil { active = avc?.configuration.map(CodecConfiguration.avc) }
            let picture = active.map { active in
                Unit(
                    payload: unit.payload,
                    subsamples: unit.subsamples,
                    isSync: unit.isIDR,
                    configuration: active,
                    timecode: unit.timecode,
                    captions: unit.captions
                )
            }
            return (unit.hasPicture ? picture : nil, unit.packetBytes)
        }
        if let unit = try hevc?.read(payload) {
            if unit.hasPicture, unit.isSync || active == nil {
                active = hevc?.configuration.map { .hevc(describingDolbyVision($0)) }
            }
            let picture = active.map { active in
                Unit(
                    payload: unit.payload,
                    subsamples: unit.subsamples,
                    isSync: unit.isSync,
                    isSkippedLeading: unit.isRASL,
                    configuration: active,
                    timecode: unit.timecode,
                    captions: unit.captions
                )
            }
            return (unit.hasPicture ? picture : nil, unit.packetBytes)
        }
        if let unit = try av1?.read(payload) {
            if unit.hasPicture, unit.isSync || active == nil { active = av1?.configuration.map(CodecConfiguration.av1) }
            let picture = active.map { active in
                Unit(
                    payload: unit.payload,
                    subsamples: unit.subsamples,
                    isSync: unit.isSync,
                    configuration: active,
                    timecode: unit.timecode
                )
            }
            return (unit.hasPicture ? picture : nil, unit.packetBytes)
        }
        return (nil, 0)
    }

    /// Adds what only the container knows.
    private func describingDolbyVision(_ configuration: HEVCConfiguration) -> HEVCConfiguration {
        guard let dolbyVision else { return configuration }
        var configuration = configuration
        configuration.picture.dynamicRange.dolbyVision = dolbyVision
        return configuration
    }

    private mutating func readFrames(_ payload: RawSpan) throws(CodecError) -> [Unit] {
        var units: [Unit] = []
        var rest = payload
        var delay = MediaTime.zero
        repeat {
            guard let read = try audio?.read(rest), let configuration = audio?.codecConfiguration,
                let rate = configuration.sound.map({ Int64($0.sampleRate) })
            else { return units }
            var position = -Int64(read.samplesAhead)
            for frame in read.frames {
                units.append(
                    Unit(
                        payload: frame.payload,
                        isSync: true,
                        soundLength: frame.samples,
                        configuration: configuration,
                        delay: delay + MediaTime(position, timescale: rate)
                    )
                )
                position += Int64(frame.samples)
            }
            delay += MediaTime(position, timescale: rate)
            rest = rest.extracting(last: read.unreadBytes)
        } while !rest.isEmpty
        return units
    }
}
