/// program_config_element(): the channels where no channelConfiguration describes them (ISO/IEC 14496-3 § 4.4.1.1).
struct ProgramConfigElement: Hashable, Sendable {
    /// object_type and sampling_frequency_index, which the AudioSpecificConfig has as well.
    private var format: UInt32
    private var front: [AACElement]
    private var side: [AACElement]
    private var back: [AACElement]
    private var lowFrequency: [AACElement]

    /// The elements of a frame, in the order in which frames have them.
    var elements: [AACElement] { front + side + back + lowFrequency }

    /// Reads to its end; mixdown, data and coupling elements and the comment are stepped over.
    init(_ reader: inout BitReader) throws(CodecError) {
        try reader.skip(4)  // element_instance_tag
        format = try reader.read(6)
        let (frontCount, sideCount, backCount) = (try reader.read(4), try reader.read(4), try reader.read(4))
        let (lowFrequencyCount, dataCount) = (try reader.read(2), try reader.read(3))
        let couplingCount = try reader.read(4)
        if try reader.readFlag() { try reader.skip(4) }  // mono_mixdown_element_number
        if try reader.readFlag() { try reader.skip(4) }  // stereo_mixdown_element_number
        if try reader.readFlag() { try reader.skip(3) }  // matrix_mixdown_idx, pseudo_surround_enable
        front = try Self.readElements(&reader, count: frontCount)
        side = try Self.readElements(&reader, count: sideCount)
        back = try Self.readElements(&reader, count: backCount)
        lowFrequency = []
        for _ in 0..<lowFrequencyCount {
            lowFrequency.append(AACElement(kind: .lowFrequencyEffects, tag: UInt8(try reader.read(4))))
        }
        try reader.skip(Int(dataCount) * 4 + Int(couplingCount) * 5)
        reader.skipToByteBoundary()
        try reader.skip(Int(try reader.read(8)) * 8)  // comment_field_data
        guard !elements.isEmpty else { throw .invalid("program_config_element") }
    }

    /// Writes the element without the skipped fields.
    func write(to writer: inout BitWriter) {
        writer.write(0, bits: 4)
        writer.write(format, bits: 6)
        for group in [front, side, back] { writer.write(group.count, bits: 4) }
        writer.write(lowFrequency.count, bits: 2)
        writer.write(0, bits: 3 + 4 + 3)
        for element in front + side + back {
            writer.write(element.kind == .channelPair)
            writer.write(element.tag, bits: 4)
        }
        for element in lowFrequency { writer.write(element.tag, bits: 4) }
        writer.alignToByte()
        writer.write(0, bits: 8)
    }

    private static func readElements(_ reader: inout BitReader, count: UInt32) throws(CodecError) -> [AACElement] {
        var elements: [AACElement] = []
        for _ in 0..<count {
            let kind: AACElement.Kind = try reader.readFlag() ? .channelPair : .singleChannel
            elements.append(AACElement(kind: kind, tag: UInt8(try reader.read(4))))
        }
        return elements
    }
}
