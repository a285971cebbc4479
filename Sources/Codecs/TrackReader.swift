package import MediaCore
package import NIOCore

/// Reads one track's packets into the samples that they carry.
package struct TrackReader: Sendable {
    /// A sample before it has its place on the timeline.
    package struct Unit: Sendable {
        package var payload: ByteBuffer
        package var subsamples: [Subsample] = []
        package var isSync: Bool
        /// The same as `Sample.isRecoveryPoint`.
        package var isRecoveryPoint = false
        /// The same as `Sample.recoversGradually`.
        package var recoversGradually = false
        /// The same as `Sample.isSkippedLeading`.
        package var isSkippedLeading = false
        /// The same as ``Sample/field``.
        package var field: FieldPlace?
        /// The same as `Sample.audioLength`.
        package var audioLength = 0
        /// The same as ``Sample/cueDuration``.
        package var cueDuration: MediaTime?
        /// The configuration that it is decoded with.
        package var configuration: CodecConfiguration
        /// The time after the packet's timestamp at which it is due: later frames or pictures of one packet.
        package var delay = MediaTime.zero
        /// The label of the picture, if the reader reads labels.
        package var timecode: Timecode?
        /// Captions in the picture.
        package var captions: [CaptionTriplet] = []
    }

    // One of them is changed in place: a copy would retain everything in the reader.
    private var video: (any AccessUnitReader)?
    private var audio: (any AudioFrameReader)?
    /// The configuration of text; each packet is a cue.
    private var text: CodecConfiguration?
    /// A configuration that came between sync samples waits for the next one.
    private var active: CodecConfiguration?
    private var pictureClock = PictureClock()
    private let dolbyVision: DolbyVisionConfiguration?
    private let rotation: PictureRotation

    /// - Parameters:
    ///   - track: As its container describes it.
    ///   - wantsSubsamples: True if samples will be encrypted.
    ///   - wantsTimecode: True if pictures are looked through for their labels.
    /// - Throws: ``CodecError`` if the codec header is broken.
    package init?(track: InputTrack, wantsSubsamples: Bool, wantsTimecode: Bool = false) throws(CodecError) {
        dolbyVision = track.dolbyVision
        rotation = track.rotation ?? PictureRotation.none
        video = try track.accessUnitReader(wantsSubsamples: wantsSubsamples, wantsTimecode: wantsTimecode)
        audio = try track.audioFrameReader(objectTypeHint: track.objectTypeHint ?? 2)
        if case .text(let format) = track.codec { text = .text(format) }
        if video == nil, audio == nil, text == nil { return nil }
    }

    /// Pictures that are read of one packet: seconds of video, where encoders send one picture or a field of it.
    private static let maximumPictureCount = 256

    /// Reads a packet.
    ///
    /// - Throws: ``CodecError`` if its bytes make no sample.
    package mutating func read(_ packet: PacketInfo, _ payload: RawSpan) throws(CodecError) -> [Unit] {
        if let text { return [cue(packet, payload, text)] }
        return audio == nil ? try readPictures(packet, payload) : try readFrames(payload)
    }

    private func cue(_ packet: PacketInfo, _ payload: RawSpan, _ configuration: CodecConfiguration) -> Unit {
        var bytes = ByteBuffer()
        bytes.writeBytes(payload)
        let duration = packet.duration > 0 ? MediaTime(ticks: packet.duration) : nil
        return Unit(payload: bytes, isSync: true, cueDuration: duration, configuration: configuration)
    }

    /// Returns true if a packet that cannot be read is a picture that decoding may start at; nil if it is not seen to
    /// be a picture.
    package func isSync(unreadable payload: RawSpan) -> Bool? { video?.isSync(unreadable: payload) }

    private mutating func readPictures(_ packet: PacketInfo, _ payload: RawSpan) throws(CodecError) -> [Unit] {
        var units: [Unit] = []
        var rest = payload
        // Garbage that looks like a start code every few bytes must not cost more than media: the rest of it is dropped.
        for _ in 0..<Self.maximumPictureCount where !rest.isEmpty {
            let (unit, byteCount): (Unit?, Int)
            do {
                (unit, byteCount) = try readPicture(rest)
            } catch {
                // The units read before it are still good.
                if units.isEmpty { throw error }
                break
            }
            guard byteCount > 0 else { break }
            rest = rest.extracting(droppingFirst: byteCount)
            if let unit { units.append(unit) }
        }
        pictureClock.packetRead(packet, pictures: units.count)
        for index in units.indices.dropFirst() {
            units[index].delay = pictureClock.duration(frameRate: active?.picture?.frameRate) * Int64(index)
        }
        return units
    }

    /// Reads the first picture of the rest of a packet.
    ///
    /// - Returns: The picture, nil if there is none or it lacks parameter sets; and the bytes that were read.
    private mutating func readPicture(_ payload: RawSpan) throws(CodecError) -> (Unit?, Int) {
        guard let unit = try video?.read(payload) else { return (nil, 0) }
        if unit.hasPicture, unit.isSync || active == nil {
            active = video?.codecConfiguration.map(describedByContainer)
        }
        guard unit.hasPicture, let active else { return (nil, unit.packetBytes) }
        let picture = Unit(
            payload: unit.payload,
            subsamples: unit.subsamples,
            isSync: unit.isSync,
            isRecoveryPoint: unit.isRecoveryPoint,
            recoversGradually: unit.recoversGradually,
            isSkippedLeading: unit.isSkippedLeading,
            field: unit.field,
            configuration: active,
            timecode: unit.timecode,
            captions: unit.captions
        )
        return (picture, unit.packetBytes)
    }

    /// Adds what only the container knows.
    private func describedByContainer(_ configuration: CodecConfiguration) -> CodecConfiguration {
        switch configuration {
        case .avc(var avc):
            avc.picture.rotation = rotation
            return .avc(avc)
        case .hevc(var hevc):
            hevc.picture.rotation = rotation
            if let dolbyVision { hevc.picture.dynamicRange.dolbyVision = dolbyVision }
            return .hevc(hevc)
        case .av1(var av1):
            av1.picture.rotation = rotation
            if let dolbyVision { av1.picture.dynamicRange.dolbyVision = dolbyVision }
            return .av1(av1)
        default:
            return configuration
        }
    }

    private mutating func readFrames(_ payload: RawSpan) throws(CodecError) -> [Unit] {
        var units: [Unit] = []
        var rest = payload
        var delay = MediaTime.zero
        repeat {
            guard let read = try audio?.read(rest), let configuration = audio?.codecConfiguration,
                let rate = configuration.audio.map({ Int64($0.sampleRate) })
            else { return units }
            var position: Int64 = 0
            units.reserveCapacity(units.count + read.frames.count)
            for frame in read.frames {
                units.append(
                    Unit(
                        payload: frame.payload,
                        isSync: true,
                        audioLength: frame.samples,
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
