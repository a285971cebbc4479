import MediaCore
internal import NIOCore

/// Turns an AV1 packet into the sample of an `av01` track.
///
/// A packet normally is one temporal unit; it is read and copied once. Frame headers are read in full, because the
/// places of tiles and the next headers depend on them. The sequence header that stands goes in front of a key frame
/// that comes without one, which Matroska allows and `av01` does not (AV1 Codec ISO Media File Format Binding § 2.4).
struct AV1TemporalUnitReader: Sendable {
    /// The decoder configuration; nil until a sequence header has come.
    private(set) var configuration: AV1Configuration?
    /// True if temporal units come with their subsamples.
    var wantsSubsamples: Bool
    /// True if temporal units come with their timecode, for which metadata OBUs are read.
    var wantsTimecode = false

    private var sequence: AV1SequenceHeader?
    /// The OBU of `sequence`, with its size field.
    private var sequenceBytes: [UInt8] = []
    private var dynamicRange = DynamicRangeMetadata()
    private var references = AV1ReferenceFrames()
    private var clockTimestamp = ClockTimestamp()
    /// True if a part of the configuration has changed, and no picture has come since.
    private var hasUnreportedChange = true
    private var reportedConfiguration: AV1Configuration?

    /// - Parameters:
    ///   - header: An `av1C` record, OBUs, or nothing.
    ///   - wantsSubsamples: True if temporal units come with their subsamples.
    /// - Throws: ``CodecError`` if the header is cut short or is something else.
    init(header: [UInt8], wantsSubsamples: Bool = false) throws(CodecError) {
        self.wantsSubsamples = wantsSubsamples
        try replaceHeader(header)
    }

    /// Starts over with a header that the input has come up with in mid-stream.
    ///
    /// - Throws: ``CodecError`` as at first; then everything stands as before.
    mutating func replaceHeader(_ header: [UInt8]) throws(CodecError) {
        var new = self
        new.sequence = nil
        new.dynamicRange = DynamicRangeMetadata()
        new.references = AV1ReferenceFrames()
        new.hasUnreportedChange = true
        var obus = OBUs(try AV1CodecConfigurationRecord.configurationOBUs(of: header.span.bytes))
        var metadata: [AV1Metadata] = []
        while let obu = try obus.next() {
            if obu.type == .sequenceHeader { try new.keepSequenceHeader(obu.payload) }
            // Metadata that cannot be read says nothing.
            if obu.type == .metadata, let new = try? AV1Metadata(obu.payload) { metadata.append(new) }
        }
        new.keep(metadata)
        new.updateConfiguration()
        self = new
    }

    /// Reads the first temporal unit of a packet.
    ///
    /// - Parameter payload: The packet's bytes, or the rest of them after the call before.
    /// - Returns: The sample, with its metadata.
    /// - Throws: ``CodecError`` if OBUs or a sequence header are broken, or subsamples are wanted and a frame cannot
    ///   be read. Without an error, a frame that cannot be read is passed on as it is.
    mutating func read(_ payload: RawSpan) throws(CodecError) -> AccessUnit {
        // A sample's size is 32 bits; FFmpeg's packets are never near to it.
        guard payload.byteCount < Int(Int32.max) else { throw .unsupported("size of temporal unit") }
        // Room for a missing size field, and for a sequence header.
        let capacity = payload.byteCount + 8 + sequenceBytes.count
        var unit = AccessUnit(payload: ByteBufferAllocator().buffer(capacity: capacity))
        var map = SubsampleMap()
        var frames = AV1FrameReader()
        var hasSequenceHeader = false
        // Kept at the end: it may stand ahead of the sequence header that it goes with.
        var metadata: [AV1Metadata] = []
        var obus = OBUs(payload)
        while true {
            unit.packetBytes = obus.position
            guard let obu = try obus.next() else { break }
            switch obu.type {
            case .temporalDelimiter where unit.hasPicture:
                return finish(unit, map, metadata)
            case .temporalDelimiter, .redundantFrameHeader, .tileList, .padding:
                continue
            case .sequenceHeader:
                try keepSequenceHeader(obu.payload)
                hasSequenceHeader = true
            case .metadata:
                if let new = readMetadata(obu.payload, of: &unit) { metadata.append(new) }
            case .frameHeader, .frame:
                if !unit.hasPicture, isShownKeyFrame(obu) {
                    unit.isSync = true
                    if !hasSequenceHeader {
                        unit.payload.writeBytes(sequenceBytes)
                        map.append(clear: sequenceBytes.count)
                    }
                }
                unit.hasPicture = true
            case .tileGroup, nil:
                break
            }
            let headerBytes = unit.payload.writeOBU(obu)
            do {
                let tiles = try frames.tiles(in: obu, sequence: sequence, references: &references)
                map.append(clear: headerBytes)
                map.append(tiles, of: obu.payload.byteCount)
            } catch {
                references = AV1ReferenceFrames()
                if wantsSubsamples { throw error }
            }
        }
        return finish(unit, map, metadata)
    }

    /// Reads an OBU of metadata of a temporal unit.
    ///
    /// - Returns: The metadata that the configuration is made of; nil if there is none that can be read.
    private mutating func readMetadata(_ payload: RawSpan, of unit: inout AccessUnit) -> AV1Metadata? {
        unit.captions += CaptionTriplet.triplets(in: payload)
        if wantsTimecode, unit.timecode == nil {
            unit.timecode = try? AV1Metadata.timecode(in: payload, timestamp: &clockTimestamp)
        }
        // Metadata that cannot be read says nothing.
        return try? AV1Metadata(payload)
    }

    private mutating func finish(
        _ unit: AccessUnit,
        _ map: consuming SubsampleMap,
        _ metadata: [AV1Metadata]
    ) -> AccessUnit {
        var unit = unit
        keep(metadata)
        if wantsSubsamples { unit.subsamples = map.finish() }
        if unit.hasPicture, hasUnreportedChange {
            updateConfiguration()
            unit.configurationChanged = configuration != nil && configuration != reportedConfiguration
            hasUnreportedChange = configuration == nil
            reportedConfiguration = configuration
        }
        unit.timecode?.frameRate = sequence?.frameRate
        return unit
    }

    private func isShownKeyFrame(_ obu: borrowing OBU) -> Bool {
        guard let sequence else { return false }
        return (try? AV1FrameHeader.isShownKeyFrame(obu.payload, sequence: sequence)) ?? false
    }

    private mutating func keepSequenceHeader(_ payload: RawSpan) throws(CodecError) {
        var obu = ByteBuffer()
        obu.writeOBU(OBU(.sequenceHeader, payload: payload))
        let bytes = Array(obu.readableBytesView)
        guard sequence == nil || bytes != sequenceBytes else { return }
        let new = try AV1SequenceHeader(payload)
        // § 7.5: another sequence header begins another coded video sequence.
        sequence = new
        sequenceBytes = bytes
        dynamicRange = DynamicRangeMetadata()
        references = AV1ReferenceFrames()
        hasUnreportedChange = true
    }

    private mutating func keep(_ metadata: [AV1Metadata]) {
        let before = dynamicRange
        for item in metadata { dynamicRange.insert(item) }
        if dynamicRange != before { hasUnreportedChange = true }
    }

    private mutating func updateConfiguration() {
        guard let sequence else { return }
        configuration = AV1Configuration(sequence, bytes: sequenceBytes, dynamicRange: dynamicRange)
    }
}
