import Codecs
import MPEGTS

extension SpliceInfoSection {
    /// Reads a section (ANSI/SCTE 35 § 9.6.1).
    ///
    /// - Parameter bytes: From its table_id on; what follows its end is left alone.
    /// - Throws: The reason why it cannot be read; everything that has a right checksum and lengths that fit can.
    package init(_ bytes: RawSpan) throws(SpliceError) {
        guard bytes.byteCount >= 3 else { throw .truncated }
        guard bytes[0] == Self.tableID else { throw .notASpliceInfoSection }
        let end = 3 + Int(bytes[1] & 0x0F) << 8 + Int(bytes[2])
        guard end <= bytes.byteCount else { throw .truncated }
        guard end >= Self.headerLength + 4 else { throw .length("section_length") }
        guard SectionChecksum.value(bytes.extracting(0..<end).array) == 0 else { throw .checksum }
        do throws(CodecError) {
            var reader = BitReader(bytes.extracting(0..<Self.headerLength))
            try reader.skip(10)
            let accessPointType = UInt8(try reader.read(2))
            try reader.skip(12)
            let version = UInt8(try reader.read(8))
            guard version == 0 else { throw .invalid(Self.versionName) }
            let isEncrypted = try reader.readFlag()
            let algorithm = UInt8(try reader.read(6))
            let adjustment = try reader.readTicks()
            let controlWord = UInt8(try reader.read(8))
            let tier = UInt16(try reader.read(12))
            let commandLength = Int(try reader.read(12))
            let body = bytes.extracting(Self.headerLength..<end - 4)
            self.init(content: .clear(.null, []))
            content =
                isEncrypted
                ? .encrypted(
                    algorithm: algorithm,
                    commandLength: UInt16(commandLength),
                    bytes: body.array
                ) : try Self.content(body, commandLength: commandLength == Self.unknownLength ? nil : commandLength)
            (self.accessPointType, self.adjustment) = (accessPointType, adjustment)
            (self.controlWord, self.tier) = (controlWord, tier)
        } catch {
            switch error {
            case .invalid(Self.versionName): throw .version(bytes[3])
            case .invalid(let name): throw .length(name)
            default: throw .truncated
            }
        }
    }

    private static let versionName = "protocol_version"
    /// The value that senders of the first version wrote in place of a length (§ 9.6.1, splice_command_length).
    private static let unknownLength = 0xFFF

    private static func content(_ body: RawSpan, commandLength: Int?) throws(CodecError) -> Content {
        guard body.byteCount > 0 else { throw .truncated }
        if let commandLength, commandLength > body.byteCount - 1 { throw .invalid("splice_command_length") }
        var reader = BitReader(body.extracting(1..<1 + (commandLength ?? body.byteCount - 1)))
        let command: SpliceCommand
        switch body[0] {
        case 0x00: command = .null
        case 0x04: command = .schedule(try reader.readSchedule())
        case 0x05: command = .insert(try reader.readInsert())
        case 0x06: command = .timeSignal(try reader.readSpliceTime())
        case 0x07: command = .bandwidthReservation
        case let type:
            guard let commandLength else { throw .invalid("splice_command_length") }
            if type == 0xFF {
                guard commandLength >= 4 else { throw .invalid("splice_command_length") }
                let identifier = try reader.read(32)
                command = .privateCommand(identifier: identifier, bytes: try reader.readBytes(commandLength - 4))
            } else {
                command = .other(type: type, bytes: try reader.readBytes(commandLength))
            }
        }
        return .clear(command, try descriptors(body.extracting((1 + (commandLength ?? reader.byteOffset))...)))
    }

    private static func descriptors(_ bytes: RawSpan) throws(CodecError) -> [SpliceDescriptor] {
        guard bytes.byteCount >= 2 else { throw .truncated }
        let end = 2 + Int(bytes[0]) << 8 + Int(bytes[1])
        guard end <= bytes.byteCount else { throw .invalid("descriptor_loop_length") }
        var descriptors: [SpliceDescriptor] = []
        var offset = 2
        while offset < end {
            guard offset + 2 <= end else { throw .invalid("descriptor_loop_length") }
            let next = offset + 2 + Int(bytes[offset + 1])
            guard next <= end else { throw .invalid("descriptor_length") }
            descriptors.append(try SpliceDescriptor(tag: bytes[offset], bytes.extracting(offset + 2..<next)))
            offset = next
        }
        return descriptors
    }
}

extension RawSpan {
    subscript(_ offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    fileprivate var array: [UInt8] { withUnsafeBytes { Array($0) } }
}
