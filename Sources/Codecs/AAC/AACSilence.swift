package import MediaCore
package import NIOCore

/// Makes frames that decode to silence, to fill holes with.
package enum AACSilence {
    /// Makes one frame of silence: every element of the stream has max_sfb 0, so no spectrum is coded.
    ///
    /// - Throws: ``CodecError`` if the AudioSpecificConfig cannot be read.
    package static func frame(for configuration: AACConfiguration) throws(CodecError) -> ByteBuffer {
        var writer = BitWriter()
        for element in try AudioSpecificConfig(configuration.audioSpecificConfig).elements {
            write(element, to: &writer)
        }
        writer.write(7, bits: 3)  // ID_END
        return ByteBuffer(bytes: writer.bytes)
    }

    /// single_channel_element(), channel_pair_element() or lfe_channel_element() (ISO/IEC 14496-3 § 4.4.2.1).
    private static func write(_ element: AACElement, to writer: inout BitWriter) {
        writer.write(element.kind.rawValue, bits: 3)
        writer.write(element.tag, bits: 4)
        if element.kind == .channelPair {
            writer.write(true)  // common_window
            writeWindow(to: &writer)
            writer.write(0, bits: 2)  // ms_mask_present
            for _ in 0..<2 { writeStream(hasWindow: false, to: &writer) }
        } else {
            writeStream(hasWindow: true, to: &writer)
        }
    }

    /// individual_channel_stream(): with no band there are no sections, scale factors or spectrum.
    private static func writeStream(hasWindow: Bool, to writer: inout BitWriter) {
        writer.write(0, bits: 8)  // global_gain
        if hasWindow { writeWindow(to: &writer) }
        writer.write(0, bits: 3)  // pulse_data_present, tns_data_present, gain_control_data_present
    }

    /// ics_info(): one long window, max_sfb 0, no prediction.
    private static func writeWindow(to writer: inout BitWriter) {
        writer.write(0, bits: 1 + 2 + 1 + 6 + 1)
    }
}
