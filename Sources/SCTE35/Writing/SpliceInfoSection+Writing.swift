import Codecs
import MPEGTS
import MediaCore

extension SpliceInfoSection {
    /// The section's bytes, with its checksum (ANSI/SCTE 35 § 9.6.1).
    ///
    /// - Throws: ``SpliceError/length(_:)`` if there is more in it than 4,093 bytes, or in a descriptor than 255.
    package func bytes() throws(SpliceError) -> [UInt8] {
        var body: [UInt8] = []
        var (isEncrypted, algorithm) = (false, UInt8(0))
        let commandLength: UInt16
        switch content {
        case .clear(let command, let descriptors):
            let commandBytes = command.bytes
            var descriptorBytes: [UInt8] = []
            for descriptor in descriptors { descriptorBytes += try descriptor.bytes() }
            guard commandBytes.count < 0xFFF else { throw .length("splice_command_length") }
            guard let loop = UInt16(exactly: descriptorBytes.count) else { throw .length("descriptor_loop_length") }
            commandLength = UInt16(commandBytes.count)
            body = [command.type] + commandBytes + [UInt8(loop >> 8), UInt8(loop & 0xFF)] + descriptorBytes
        case .encrypted(let itsAlgorithm, let length, let bytes):
            (isEncrypted, algorithm) = (true, itsAlgorithm)
            commandLength = length
            body = bytes
        }
        let length = Self.headerLength - 3 + body.count + 4
        // § 9.6.1: section_length is at most 4093.
        guard length <= 4093 else { throw .length("section_length") }
        var writer = BitWriter()
        writer.write(Self.tableID, bits: 8)
        writer.write(0, bits: 2)
        writer.write(accessPointType, bits: 2)
        writer.write(length, bits: 12)
        writer.write(0, bits: 8)
        writer.write(isEncrypted)
        writer.write(algorithm, bits: 6)
        writer.write(ticks: adjustment)
        writer.write(controlWord, bits: 8)
        writer.write(tier, bits: 12)
        writer.write(commandLength, bits: 12)
        let section = writer.bytes + body
        return section + SectionChecksum.value(section).bigEndianBytes
    }
}

extension BitWriter {
    /// A time or a duration of 33 bits.
    mutating func write(ticks: UInt64) {
        write(ticks >> 32, bits: 1)
        write(ticks, bits: 32)
    }

    /// Bits that the standard keeps for later are ones.
    mutating func writeReserved(_ count: Int) {
        write(UInt32.max, bits: count)
    }

    mutating func write(bytes: some Sequence<UInt8>) {
        for byte in bytes { write(byte, bits: 8) }
    }
}
