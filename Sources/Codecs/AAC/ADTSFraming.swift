package import MediaCore
package import NIOCore

/// Puts bare AAC frames behind the headers that transport streams and packed audio want (ISO/IEC 14496-3 § 1.A.2.2).
///
/// A header does not signal spectral band replication: it describes the core, and decoders detect the rest.
package struct ADTSFraming: Sendable {
    /// Bytes of a header.
    package static let headerLength = 7

    /// The header that all frames share, without their length.
    private let header: [UInt8]
    /// A program_config_element to stand ahead of frames that do not begin with one.
    private let program: [UInt8]

    /// - Throws: ``CodecError/unsupported(_:)`` if a header has no words for the configuration, and what reading the
    ///   AudioSpecificConfig throws.
    package init(_ configuration: AACConfiguration) throws(CodecError) {
        let config = try AudioSpecificConfig(configuration.audioSpecificConfig)
        guard let rateIndex = AudioSpecificConfig.sampleRates.firstIndex(of: config.coreSampleRate) else {
            throw .unsupported("sample rate \(config.coreSampleRate) in ADTS")
        }
        guard config.channelConfiguration < 8 else {
            throw .unsupported("channelConfiguration \(config.channelConfiguration) in ADTS")
        }
        var writer = BitWriter()
        writer.write(0xFFF, bits: 12)
        writer.write(0, bits: 3)  // ID: MPEG-4; layer
        writer.write(true)  // protection_absent
        writer.write(config.coreObjectType - 1, bits: 2)
        writer.write(rateIndex, bits: 4)
        writer.write(0, bits: 1)
        writer.write(config.channelConfiguration, bits: 3)
        writer.write(0, bits: 4 + 13)
        writer.write(0x7FF, bits: 11)  // adts_buffer_fullness: variable bit rate
        writer.write(0, bits: 2)  // one raw data block
        header = writer.bytes
        var element = BitWriter()
        if let program = config.program {
            element.write(5, bits: 3)  // ID_PCE
            program.write(to: &element)
        }
        program = element.bytes
    }

    /// Returns the bytes that are to stand ahead of a frame.
    ///
    /// - Parameter frame: A bare frame.
    /// - Returns: A header, and behind it the frame's channels where no channelConfiguration describes them.
    /// - Throws: ``CodecError/unsupported(_:)`` if the frame is longer than a header can say.
    package func header(for frame: ByteBuffer) throws(CodecError) -> [UInt8] {
        let describesItself = frame.readableBytesView.first.map { $0 >> 5 == 5 } ?? false
        var bytes = describesItself ? header : header + program
        let length = bytes.count + frame.readableBytes
        guard length < 1 << 13 else { throw .unsupported("AAC frame of \(frame.readableBytes) bytes in ADTS") }
        bytes[3] |= UInt8(length >> 11)
        bytes[4] |= UInt8(truncatingIfNeeded: length >> 3)
        bytes[5] |= UInt8(truncatingIfNeeded: length << 5)
        return bytes
    }
}
