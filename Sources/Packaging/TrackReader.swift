import Codecs
import MediaCore
import NIOCore

/// Reads one track's packets into the samples that they carry.
struct TrackReader: Sendable {
    /// A sample before it has its place on the timeline.
    struct Unit: Sendable {
        var payload: ByteBuffer
        var subsamples: [Subsample]
        var isSync: Bool
        /// What it is decoded with.
        var configuration: CodecConfiguration
        /// How long after the packet's timestamp it is due: later frames or pictures of one packet.
        var delay: MediaTime
        /// What the picture is labelled with, where that was asked for.
        var timecode: Timecode?
    }

    // One of them, changed in place: to copy a reader is to retain all that it holds.
    private var avc: AVCAccessUnitReader?
    private var aac: AACFrameReader?
    /// A configuration that came between sync samples waits for the next one.
    private var active: CodecConfiguration?
    private var pictureClock = PictureClock()

    /// - Parameters:
    ///   - track: As its container describes it.
    ///   - wantsSubsamples: Whether samples will be encrypted.
    ///   - wantsTimecode: Whether pictures are looked through for their labels.
    /// - Throws: ``CodecError`` where the codec header is broken.
    init?(track: InputTrack, wantsSubsamples: Bool, wantsTimecode: Bool = false) throws(CodecError) {
        switch track.codec {
        case .h264:
            avc = try AVCAccessUnitReader(header: track.header, wantsSubsamples: wantsSubsamples)
            avc?.wantsTimecode = wantsTimecode
        case .aac:
            aac = try AACFrameReader(header: track.header)
        case .unsupported:
            return nil
        }
    }

    /// Reads a packet.
    ///
    /// - Throws: ``CodecError`` where its bytes make no sample.
    mutating func read(_ packet: PacketInfo, _ payload: RawSpan) throws(CodecError) -> [Unit] {
        avc == nil ? try readFrames(payload) : try readPictures(packet, payload)
    }

    private mutating func readPictures(_ packet: PacketInfo, _ payload: RawSpan) throws(CodecError) -> [Unit] {
        var units: [Unit] = []
        var rest = payload
        while let unit = try avc?.read(rest) {
            rest = rest.extracting(droppingFirst: unit.packetBytes)
            if unit.hasPicture, unit.isIDR || active == nil { active = avc?.configuration.map(CodecConfiguration.avc) }
            if unit.hasPicture, let active {
                units.append(
                    Unit(
                        payload: unit.payload,
                        subsamples: unit.subsamples,
                        isSync: unit.isIDR,
                        configuration: active,
                        delay: .zero,
                        timecode: unit.timecode
                    )
                )
            }
            if rest.isEmpty { break }
        }
        pictureClock.packetRead(packet, pictures: units.count)
        for index in units.indices.dropFirst() {
            units[index].delay = pictureClock.duration(frameRate: avc?.configuration?.frameRate) * Int64(index)
        }
        return units
    }

    private mutating func readFrames(_ payload: RawSpan) throws(CodecError) -> [Unit] {
        guard let frames = try aac?.read(payload).frames, let aac = aac?.configuration else { return [] }
        let configuration = CodecConfiguration.aac(aac)
        return frames.enumerated().map { index, frame in
            let samples = Int64(index * AACConfiguration.samplesPerFrame)
            return Unit(
                payload: frame,
                subsamples: [],
                isSync: true,
                configuration: configuration,
                delay: MediaTime(samples, timescale: Int64(aac.coreSampleRate))
            )
        }
    }
}
