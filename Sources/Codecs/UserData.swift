/// User data registered by Recommendation ITU-T T.35, alike in SEI messages of H.264 and HEVC (ISO/IEC 14496-10 § D.1.6)
/// and in metadata of AV1 (§ 5.8.2).
enum UserData {
    static let payloadType = 4

    /// itu_t_t35_country_code of the United States.
    private static let unitedStates: UInt32 = 0xB5
    /// Terminal provider codes.
    private static let samsung: UInt32 = 0x003C
    private static let atsc: UInt32 = 0x0031

    /// Returns true for SMPTE ST 2094-40 metadata, HDR10+: application 4 of provider oriented code 1.
    static func isHDR10Plus(_ message: inout SEIMessage) -> Bool {
        starts(&message, provider: samsung, code: 0x0001, codeBits: 16, type: 4)
    }

    /// Returns true for cc_data() of ATSC A/53 Part 4 § 6.2.3.1, which the message then reads next.
    static func isCaptionData(_ message: inout SEIMessage) -> Bool {
        // user_identifier `GA94`, user_data_type_code 3.
        starts(&message, provider: atsc, code: 0x4741_3934, codeBits: 32, type: 3)
    }

    private static func starts(
        _ message: inout SEIMessage,
        provider: UInt32,
        code: UInt32,
        codeBits: Int,
        type: UInt32
    ) -> Bool {
        let isSame =
            try? message.reader.read(8) == unitedStates && message.reader.read(16) == provider
            && message.reader.read(codeBits) == code && message.reader.read(8) == type
        return isSame == true && !message.isOverrun
    }
}

extension SEIMessage {
    /// The next bytes of the payload.
    ///
    /// - Throws: ``CodecError/truncated`` if it has fewer.
    mutating func readBytes(_ count: Int) throws(CodecError) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(UInt8(try reader.read(8))) }
        guard !isOverrun else { throw .truncated }
        return bytes
    }
}
