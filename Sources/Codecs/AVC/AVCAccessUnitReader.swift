package import MediaCore
internal import NIOCore

/// Turns an H.264 packet, in either framing, into the sample of an `avc1` track.
///
/// A packet normally is one access unit, or both fields of a frame; it is scanned and copied once. With start codes it
/// may hold several: their NAL units tell them apart, and they are read one by one. Parameter sets are taken out of the
/// samples and kept by id, because `avc1` has them in the decoder configuration only (ISO/IEC 14496-15 § 5.3.2). A
/// change of them is reported with its picture. A parameter set that cannot be read loses nothing: the one before it
/// stays.
package struct AVCAccessUnitReader: Sendable {
    /// The decoder configuration; nil until both kinds of parameter set have come.
    package private(set) var configuration: AVCConfiguration?
    /// Parameter sets that could not be read.
    private(set) var unreadableParameterSets = 0
    /// True if access units come with their subsamples, for which slice headers are read.
    var wantsSubsamples: Bool
    /// True if access units come with their timecode, for which picture timing messages are read.
    var wantsTimecode = false

    private var framing: NALUnits.Framing
    /// Bounds of the picture that was read last.
    private var picture = PictureBounds()
    private var parameterSets: AVCParameterSets
    private var clockTimestamp = ClockTimestamp()
    /// True if parameter sets have changed, and no picture has come since that has all it needs of them.
    private var hasUnreportedChange = true
    private var reportedConfiguration: AVCConfiguration?

    /// - Parameters:
    ///   - header: An `avcC` record, after which packets have lengths in its size; or parameter sets behind start codes,
    ///     or nothing, after which packets have start codes.
    ///   - wantsSubsamples: True if access units come with their subsamples.
    /// - Throws: ``CodecError`` if the header is cut short or is something else.
    init(header: [UInt8], wantsSubsamples: Bool = false) throws(CodecError) {
        self.wantsSubsamples = wantsSubsamples
        framing = .startCodes
        parameterSets = AVCParameterSets()
        try replaceHeader(header)
    }

    /// Starts over with a header that the input has come up with in mid-stream.
    ///
    /// - Throws: ``CodecError`` as at first; then everything stands as before.
    mutating func replaceHeader(_ header: [UInt8]) throws(CodecError) {
        var parameterSets = AVCParameterSets()
        var unreadable = 0
        func insert(_ nalUnit: RawSpan) {
            do { _ = try parameterSets.insert(nalUnit) } catch { unreadable += 1 }
        }
        switch header.first {
        case 1:
            let record = try AVCDecoderConfigurationRecord(header)
            for nalUnit in record.parameterSets { insert(nalUnit.span.bytes) }
            framing = .lengths(size: record.lengthSize)
        case 0:
            var nalUnits = NALUnits(header.span.bytes, framing: .startCodes)
            while let nalUnit = try nalUnits.next() { insert(nalUnit) }
            framing = .startCodes
        case nil:
            framing = .startCodes
        default:
            throw .invalid("H.264 header")
        }
        self.parameterSets = parameterSets
        unreadableParameterSets += unreadable
        hasUnreportedChange = true
        if let new = parameterSets.configuration() { configuration = new }
    }

    /// Reads the first access unit of a packet.
    ///
    /// - Parameter payload: The packet's bytes, or those that a reading before this one has left of them.
    /// - Returns: The sample, and what came with it.
    /// - Throws: ``CodecError`` if the framing is broken, a slice is partitioned, or subsamples are wanted and a slice
    ///   header cannot be read. Parameter sets that came with it are kept nonetheless.
    package mutating func read(_ payload: RawSpan) throws(CodecError) -> AccessUnit {
        // A sample's size is 32 bits; FFmpeg's packets are never near to it.
        guard payload.byteCount < Int(Int32.max) else { throw .unsupported("size of access unit") }
        // Room for the fourth byte of some lengths; the buffer takes a power of two anyway.
        var unit = AccessUnit(payload: ByteBufferAllocator().buffer(capacity: payload.byteCount + 32))
        var map = SubsampleMap()
        var found = Findings()
        let before = self.picture
        var picture = PictureBounds()
        // An unreadable picture has no second field.
        self.picture = picture
        var nalUnits = NALUnits(payload, framing: framing)
        var hasNALUnits = false
        // The place of the slice ahead, once it was looked for: there may be any number of other NAL units before it.
        var sliceAhead: Int?
        while true {
            unit.packetBytes = nalUnits.position
            guard let nalUnit = try nalUnits.next() else { break }
            hasNALUnits = true
            let type = NALUnitType(header: nalUnit.unsafeLoad(as: UInt8.self))
            // Only the Extended profile has partitions, which no player takes; parameter sets of HEVC look like them.
            if type.isPartition { throw .unsupported("slice data partitioning") }
            let header = type.isSlice ? try? AVCSliceHeader(nalUnit, parameterSets: parameterSets) : nil
            if unit.hasPicture, framing == .startCodes {
                if type.isSlice, picture.ends(before: nalUnit, header) { break }
                if type.leadsAccessUnit {
                    let place = sliceAhead ?? PictureBounds.placeOfSlice(in: nalUnits)
                    sliceAhead = place
                    if picture.ends(before: payload.extracting(droppingFirst: place), parameterSets) { break }
                }
            }
            if type.isSlice {
                picture.sliceRead(header)
                sliceAhead = nil
            }
            guard type.belongsInSample else {
                keepParameterSet(nalUnit)
                continue
            }
            append(nalUnit, type, to: &unit, &found)
            if wantsSubsamples { try appendSubsample(of: nalUnit, type: type, header, to: &map) }
        }
        guard hasNALUnits else { throw .invalid("access unit without NAL units") }
        unit.subsamples = map.finish()
        parameterSets.removeStale()
        describePicture(of: &unit, found)
        unit.field = picture.field(behind: before)
        self.picture = unit.hasPicture ? picture : before
        if unit.packetBytes < payload.byteCount { unit.releaseSpareRoom() }
        return unit
    }

    /// The parts of an access unit that are understood only once all of it is read.
    private struct Findings {
        /// The picture parameter set of the first slice; nil if nothing is to be known of it.
        var pictureParameterSetID: Int?
        /// The places of SEI NAL units in the sample: their meaning depends on the picture after them.
        var messages: [Range<Int>] = []
    }

    /// Appends a NAL unit to the sample, and reads its facts about the picture.
    private func append(_ nalUnit: RawSpan, _ type: NALUnitType, to unit: inout AccessUnit, _ found: inout Findings) {
        // Its bytes are those of a packet, which libavformat counts in 31 bits.
        unit.payload.writeInteger(UInt32(nalUnit.byteCount))
        unit.payload.writeBytes(nalUnit)
        if type.isSlice {
            unit.hasPicture = true
            if type == .idrSlice { unit.isSync = true }
            if hasUnreportedChange || wantsTimecode, found.pictureParameterSetID == nil {
                found.pictureParameterSetID = try? AVCSliceHeader.pictureParameterSetID(of: nalUnit)
            }
        } else if type == .supplementalEnhancementInformation {
            if !unit.isRecoveryPoint { unit.recoveryRead(RecoveryPoint.h264(in: nalUnit)) }
            unit.captions += CaptionTriplet.triplets(in: nalUnit, headerSize: 1)
            if wantsTimecode {
                found.messages.append(unit.payload.readableBytes - nalUnit.byteCount..<unit.payload.readableBytes)
            }
        }
    }

    private mutating func describePicture(of unit: inout AccessUnit, _ found: Findings) {
        guard let id = found.pictureParameterSetID else { return }
        if hasUnreportedChange { unit.configurationChanged = reportChange(usingPictureParameterSet: id) }
        unit.timecode = timecode(
            in: found.messages,
            of: unit.payload.readableBytesSpan,
            usingPictureParameterSet: id
        )
    }

    private mutating func keepParameterSet(_ nalUnit: RawSpan) {
        do {
            if try parameterSets.insert(nalUnit) { hasUnreportedChange = true }
        } catch {
            unreadableParameterSets += 1
        }
    }

    private mutating func reportChange(usingPictureParameterSet id: Int) -> Bool {
        guard let new = parameterSets.configuration(usingPictureParameterSet: id) else { return false }
        hasUnreportedChange = false
        defer { reportedConfiguration = new }
        configuration = new
        return new != reportedConfiguration
    }

    /// The label that one of the SEI NAL units gives the picture.
    private mutating func timecode(
        in messages: [Range<Int>],
        of payload: RawSpan,
        usingPictureParameterSet id: Int
    ) -> Timecode? {
        guard !messages.isEmpty, let used = try? parameterSets.named(byPictureParameterSet: id).sequence.usability
        else {
            return nil
        }
        for range in messages {
            let nalUnit = payload.extracting(range)
            // A message that cannot be read labels nothing.
            guard
                var timecode = try? PictureTiming.timecode(
                    in: nalUnit,
                    syntax: used.pictureTiming,
                    timestamp: &clockTimestamp
                )
            else { continue }
            timecode.frameRate = used.frameRate
            return timecode
        }
        return nil
    }

    private func appendSubsample(
        of nalUnit: RawSpan,
        type: NALUnitType,
        _ header: AVCSliceHeader?,
        to map: inout SubsampleMap
    ) throws(CodecError) {
        let lengthSize = 4
        guard type.isSlice else { return map.append(clear: lengthSize + nalUnit.byteCount) }
        // ISO/IEC 23001-7 § 9.5.2: length, NAL unit header and slice header stay clear, to a whole byte.
        let header = if let header { header } else { try AVCSliceHeader(nalUnit, parameterSets: parameterSets) }
        let clear = header.byteCount
        map.append(clear: lengthSize + clear)
        map.append(protected: nalUnit.byteCount - clear)
    }
}
