package import MediaCore
internal import NIOCore

/// Turns an HEVC packet, in whatever framing it came, into the sample of an `hvc1` track.
///
/// It is to HEVC what `AVCAccessUnitReader` is to H.264. A picture is a sample, also one that is a field; of several
/// layers only the base layer is carried.
package struct HEVCAccessUnitReader: Sendable {
    /// The decoder configuration; nil until all kinds of parameter set have come.
    package private(set) var configuration: HEVCConfiguration?
    /// Parameter sets that could not be read.
    private(set) var unreadableParameterSets = 0
    /// True if access units come with their subsamples, for which slice segment headers are read.
    var wantsSubsamples: Bool
    /// True if access units come with their timecode, for which time code messages are read.
    var wantsTimecode = false

    private var framing: NALUnits.Framing
    private var parameterSets: HEVCParameterSets
    private var dynamicRange = HEVCDynamicRange()
    private var clockTimestamp = ClockTimestamp()
    /// True if the configuration has changed, and no picture has come since that has all it needs of it.
    private var hasUnreportedChange = true
    private var reportedConfiguration: HEVCConfiguration?

    /// - Parameters:
    ///   - header: An `hvcC` record, after which packets have lengths in its size; or parameter sets behind start codes,
    ///     or nothing, after which packets have start codes.
    ///   - wantsSubsamples: True if access units come with their subsamples.
    /// - Throws: ``CodecError`` if the header is cut short or is something else.
    init(header: [UInt8], wantsSubsamples: Bool = false) throws(CodecError) {
        self.wantsSubsamples = wantsSubsamples
        framing = .startCodes
        parameterSets = HEVCParameterSets()
        try replaceHeader(header)
    }

    /// Starts over with a header that the input has come up with in mid-stream.
    ///
    /// - Throws: ``CodecError`` as at first; then everything stands as before.
    mutating func replaceHeader(_ header: [UInt8]) throws(CodecError) {
        var parameterSets = HEVCParameterSets()
        var dynamicRange = HEVCDynamicRange()
        var unreadable = 0
        func insert(_ nalUnit: RawSpan) {
            guard let type = Self.typeInBaseLayer(nalUnit) else { return }
            if type == .prefixSupplementalEnhancementInformation { dynamicRange.messagesReceived(nalUnit) }
            do { _ = try parameterSets.insert(nalUnit) } catch { unreadable += 1 }
        }
        switch header.first {
        case 1:
            let record = try HEVCDecoderConfigurationRecord(header)
            for nalUnit in record.nalUnits { insert(nalUnit.span.bytes) }
            framing = .lengths(size: record.lengthSize)
        case 0:
            var nalUnits = NALUnits(header.span.bytes, framing: .startCodes)
            while let nalUnit = try nalUnits.next() { insert(nalUnit) }
            framing = .startCodes
        case nil:
            framing = .startCodes
        default:
            throw .invalid("HEVC header")
        }
        self.parameterSets = parameterSets
        self.dynamicRange = dynamicRange
        unreadableParameterSets += unreadable
        hasUnreportedChange = true
        if let new = makeConfiguration() { configuration = new }
    }

    /// Reads the first access unit of a packet.
    ///
    /// - Parameter payload: The packet's bytes, or those that a reading before this one has left of them.
    /// - Returns: The sample, and what came with it.
    /// - Throws: ``CodecError`` if the framing is broken, or subsamples are wanted and a slice segment header cannot
    ///   be read. Parameter sets that came with it are kept nonetheless.
    package mutating func read(_ payload: RawSpan) throws(CodecError) -> AccessUnit {
        // A sample's size is 32 bits; FFmpeg's packets are never near to it.
        guard payload.byteCount < Int(Int32.max) else { throw .unsupported("size of access unit") }
        // Room for the fourth byte of some lengths; the buffer takes a power of two anyway.
        var unit = AccessUnit(payload: ByteBufferAllocator().buffer(capacity: payload.byteCount + 32))
        var map = SubsampleMap()
        var pictureParameterSetID: Int?
        var nalUnits = NALUnits(payload, framing: framing)
        var hasNALUnits = false
        /// The places of prefix SEI NAL units in the sample: if they matter depends on the picture behind them.
        var messages: [Range<Int>] = []
        while true {
            unit.packetBytes = nalUnits.position
            guard let nalUnit = try nalUnits.next() else { break }
            hasNALUnits = true
            guard let type = Self.typeInBaseLayer(nalUnit) else { continue }
            if unit.hasPicture, framing == .startCodes, Self.beginsAccessUnit(nalUnit) { break }
            guard type.belongsInSample else {
                if type.isParameterSet { keepParameterSet(nalUnit) }
                continue
            }
            unit.payload.writeInteger(UInt32(nalUnit.byteCount))
            unit.payload.writeBytes(nalUnit)
            if type.isSlice {
                unit.sliceRead(type)
                if pictureParameterSetID == nil {
                    pictureParameterSetID = try? HEVCSliceHeader.pictureParameterSetID(of: nalUnit)
                }
            } else if type == .prefixSupplementalEnhancementInformation {
                messages.append(unit.payload.readableBytes - nalUnit.byteCount..<unit.payload.readableBytes)
            }
            if wantsSubsamples { try appendSubsample(of: nalUnit, type, to: &map) }
        }
        guard hasNALUnits else { throw .invalid("access unit without NAL units") }
        unit.subsamples = map.finish()
        parameterSets.removeStale()
        if unit.hasPicture { readMessages(messages, of: &unit) }
        if let pictureParameterSetID, hasUnreportedChange {
            unit.configurationChanged = reportChange(usingPictureParameterSet: pictureParameterSetID)
        }
        unit.timecode?.frameRate = configuration?.picture.frameRate
        if unit.packetBytes < payload.byteCount { unit.releaseSpareRoom() }
        return unit
    }

    /// The type of a NAL unit; nil if it is none, or of another layer than the base layer.
    static func typeInBaseLayer(_ nalUnit: RawSpan) -> HEVCNALUnitType? {
        guard nalUnit.byteCount >= HEVCNALUnitType.headerSize else { return nil }
        let (first, second) = (
            nalUnit.unsafeLoad(as: UInt8.self), nalUnit.unsafeLoad(fromByteOffset: 1, as: UInt8.self)
        )
        // nuh_layer_id (§ 7.3.1.2)
        guard first & 1 == 0, second & 0xF8 == 0 else { return nil }
        return HEVCNALUnitType(header: first)
    }

    /// Returns true if a NAL unit is the first slice segment of a picture: first_slice_segment_in_pic_flag is its first
    /// bit.
    static func isFirstSlice(_ nalUnit: RawSpan, _ type: HEVCNALUnitType) -> Bool {
        guard type.isSlice, nalUnit.byteCount > HEVCNALUnitType.headerSize else { return false }
        return nalUnit.unsafeLoad(fromByteOffset: HEVCNALUnitType.headerSize, as: UInt8.self) & 0x80 != 0
    }

    private mutating func keepParameterSet(_ nalUnit: RawSpan) {
        do {
            if try parameterSets.insert(nalUnit) { hasUnreportedChange = true }
        } catch {
            unreadableParameterSets += 1
        }
    }

    private func makeConfiguration(usingPictureParameterSet id: Int? = nil) -> HEVCConfiguration? {
        guard var new = parameterSets.configuration(usingPictureParameterSet: id) else { return nil }
        new.picture = dynamicRange.applied(to: new.picture)
        return new
    }

    private mutating func reportChange(usingPictureParameterSet id: Int) -> Bool {
        guard let new = makeConfiguration(usingPictureParameterSet: id) else { return false }
        hasUnreportedChange = false
        defer { reportedConfiguration = new }
        configuration = new
        return new != reportedConfiguration
    }

    /// Reads the requested messages of a picture's SEI NAL units, and its dynamic range where decoding may start.
    ///
    /// Only there does a stream name all of it, and a packager that was started later must find the same.
    private mutating func readMessages(_ messages: [Range<Int>], of unit: inout AccessUnit) {
        let buffer = unit.payload
        let payload = buffer.readableBytesSpan
        let before = dynamicRange
        for range in messages {
            let nalUnit = payload.extracting(range)
            if unit.isSync {
                dynamicRange.messagesReceived(nalUnit)
            } else if !unit.isRecoveryPoint {
                unit.recoveryRead(RecoveryPoint.hevc(in: nalUnit))
            }
            unit.captions += CaptionTriplet.triplets(in: nalUnit, headerSize: HEVCNALUnitType.headerSize)
            // A message that cannot be read labels nothing.
            if wantsTimecode, unit.timecode == nil {
                unit.timecode = try? HEVCTimeCode.timecode(in: nalUnit, timestamp: &clockTimestamp)
            }
        }
        if dynamicRange != before { hasUnreportedChange = true }
    }

    private func appendSubsample(
        of nalUnit: RawSpan,
        _ type: HEVCNALUnitType,
        to map: inout SubsampleMap
    ) throws(CodecError) {
        let lengthSize = 4
        guard type.isSlice else { return map.append(clear: lengthSize + nalUnit.byteCount) }
        // ISO/IEC 23001-7 § 9.5.2: length, NAL unit header and slice header stay clear, to a whole byte.
        let clear = try HEVCSliceHeader(nalUnit, parameterSets: parameterSets).byteCount
        map.append(clear: lengthSize + clear)
        map.append(protected: nalUnit.byteCount - clear)
    }
}

extension AccessUnit {
    fileprivate mutating func sliceRead(_ type: HEVCNALUnitType) {
        hasPicture = true
        if type.isIDR || type.isCRA || type.isBLA { isSync = true }
        if type.isRASL { isSkippedLeading = true }
    }
}
