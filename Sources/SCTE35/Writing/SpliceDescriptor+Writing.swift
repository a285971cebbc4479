import Codecs

extension SpliceDescriptor {
    /// The descriptor from its tag on (ANSI/SCTE 35 § 10.2).
    func bytes() throws(SpliceError) -> [UInt8] {
        var identifier = Self.identifier
        var writer = BitWriter()
        switch self {
        case .avail(let providerID): writer.write(providerID, bits: 32)
        case .tones(let preroll, let characters):
            guard characters.count < 8 else { throw .length("dtmf_count") }
            writer.write(preroll, bits: 8)
            writer.write(characters.count, bits: 3)
            writer.writeReserved(5)
            writer.write(bytes: characters)
        case .segmentation(let descriptor): writer.write(descriptor)
        case .time(let seconds, let nanoseconds, let utcOffset):
            writer.write(seconds >> 32, bits: 16)
            writer.write(seconds, bits: 32)
            writer.write(nanoseconds, bits: 32)
            writer.write(utcOffset, bits: 16)
        case .audio(let streams):
            guard streams.count < 16 else { throw .length("audio_count") }
            writer.write(streams.count, bits: 4)
            writer.writeReserved(4)
            for stream in streams { writer.write(stream) }
        case .other(_, let itsIdentifier, let bytes):
            identifier = itsIdentifier
            writer.write(bytes: bytes)
        }
        guard let length = UInt8(exactly: writer.bytes.count + 4) else { throw .length("descriptor_length") }
        var head = BitWriter()
        head.write(tag, bits: 8)
        head.write(length, bits: 8)
        head.write(identifier, bits: 32)
        return head.bytes + writer.bytes
    }
}

extension BitWriter {
    fileprivate mutating func write(_ stream: SpliceAudio) {
        write(stream.componentTag, bits: 8)
        write(bytes: stream.language)
        write(stream.bitStreamMode, bits: 3)
        write(stream.channels, bits: 4)
        write(stream.isFullService)
    }

    /// segmentation_descriptor (§ 10.3.3.1).
    fileprivate mutating func write(_ descriptor: SegmentationDescriptor) {
        write(descriptor.eventID, bits: 32)
        write(descriptor.details == nil)
        write(!descriptor.isCompliant)
        writeReserved(6)
        guard let details = descriptor.details else { return }
        write(details.components == nil)
        write(details.duration != nil)
        write(details.restrictions == nil)
        if let restrictions = details.restrictions {
            write(restrictions.allowsWebDelivery)
            write(restrictions.hasNoRegionalBlackout)
            write(restrictions.allowsArchive)
            write(restrictions.devices, bits: 2)
        } else {
            writeReserved(5)
        }
        if let components = details.components {
            write(components.count, bits: 8)
            for component in components {
                write(component.tag, bits: 8)
                writeReserved(7)
                write(ticks: component.offset)
            }
        }
        if let duration = details.duration {
            write(duration >> 32, bits: 8)
            write(duration, bits: 32)
        }
        write(details.upid.type, bits: 8)
        write(details.upid.bytes.count, bits: 8)
        write(bytes: details.upid.bytes)
        write(details.type.rawValue, bits: 8)
        write(details.segment.number, bits: 8)
        write(details.segment.expected, bits: 8)
        if let subsegment = details.subsegment {
            write(subsegment.number, bits: 8)
            write(subsegment.expected, bits: 8)
        }
    }
}
