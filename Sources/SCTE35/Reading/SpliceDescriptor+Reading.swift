import Codecs

extension SpliceDescriptor {
    /// Reads a descriptor (ANSI/SCTE 35 § 10.2).
    ///
    /// - Parameters:
    ///   - tag: Its splice_descriptor_tag.
    ///   - bytes: The bytes behind its descriptor_length.
    /// - Throws: An error if it ends too early.
    init(tag: UInt8, _ bytes: RawSpan) throws(CodecError) {
        guard bytes.byteCount >= 4 else { throw .invalid("descriptor_length") }
        var reader = BitReader(bytes)
        let identifier = try reader.read(32)
        guard identifier == Self.identifier, tag <= 0x04 else {
            self = .other(tag: tag, identifier: identifier, bytes: try reader.readBytes(bytes.byteCount - 4))
            return
        }
        switch tag {
        case 0x00: self = .avail(providerID: try reader.read(32))
        case 0x01:
            let preroll = UInt8(try reader.read(8))
            let count = Int(try reader.read(3))
            try reader.skip(5)
            self = .tones(preroll: preroll, characters: try reader.readBytes(count))
        case 0x02: self = .segmentation(try SegmentationDescriptor(&reader, bytes.byteCount))
        case 0x03:
            let seconds = UInt64(try reader.read(16)) << 32
            self = .time(
                seconds: seconds | UInt64(try reader.read(32)),
                nanoseconds: try reader.read(32),
                utcOffset: UInt16(try reader.read(16))
            )
        default: self = .audio(try Self.audio(&reader))
        }
    }

    private static func audio(_ reader: inout BitReader) throws(CodecError) -> [SpliceAudio] {
        let count = try reader.read(4)
        try reader.skip(4)
        var streams: [SpliceAudio] = []
        for _ in 0..<count {
            streams.append(
                SpliceAudio(
                    componentTag: UInt8(try reader.read(8)),
                    language: try reader.readBytes(3),
                    bitStreamMode: UInt8(try reader.read(3)),
                    channels: UInt8(try reader.read(4)),
                    isFullService: try reader.readFlag()
                )
            )
        }
        return streams
    }
}

extension SegmentationDescriptor {
    /// - Parameters:
    ///   - reader: Behind the identifier.
    ///   - length: Bytes of the descriptor from its identifier on.
    /// - Throws: An error if it ends too early.
    fileprivate init(_ reader: inout BitReader, _ length: Int) throws(CodecError) {
        eventID = try reader.read(32)
        let isCancelled = try reader.readFlag()
        isCompliant = try !reader.readFlag()
        try reader.skip(6)
        if isCancelled { return }
        let (isProgram, hasDuration) = (try reader.readFlag(), try reader.readFlag())
        var restrictions: Restrictions?
        if try reader.readFlag() {
            try reader.skip(5)
        } else {
            restrictions = Restrictions(
                allowsWebDelivery: try reader.readFlag(),
                hasNoRegionalBlackout: try reader.readFlag(),
                allowsArchive: try reader.readFlag(),
                devices: UInt8(try reader.read(2))
            )
        }
        var components: [Component]?
        if !isProgram {
            components = []
            for _ in 0..<(try reader.read(8)) {
                let tag = UInt8(try reader.read(8))
                try reader.skip(7)
                components?.append(Component(tag: tag, offset: try reader.readTicks()))
            }
        }
        var duration: UInt64?
        if hasDuration { duration = UInt64(try reader.read(8)) << 32 | UInt64(try reader.read(32)) }
        let upidType = UInt8(try reader.read(8))
        let upid = SegmentationUPID(type: upidType, bytes: try reader.readBytes(Int(try reader.read(8))))
        var details = Details(type: SegmentationType(rawValue: UInt8(try reader.read(8))), duration: duration)
        details.upid = upid
        details.segment = Position(number: UInt8(try reader.read(8)), expected: UInt8(try reader.read(8)))
        // Senders of before 2016 have none, whatever the type: the descriptor's length tells.
        if length - reader.byteOffset >= 2 {
            details.subsegment = Position(number: UInt8(try reader.read(8)), expected: UInt8(try reader.read(8)))
        }
        (details.restrictions, details.components) = (restrictions, components)
        self.details = details
    }
}
