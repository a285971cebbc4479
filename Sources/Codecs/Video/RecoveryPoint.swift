/// The recovery point SEI message (ISO/IEC 14496-10 Annex D, ISO/IEC 23008-2 Annex D).
enum RecoveryPoint: Hashable {
    /// All pictures presented from this one on are right, also where decoding starts here.
    case immediate
    /// Pictures are correct after some more: an encoder without key frames refreshes the picture bit by bit.
    case gradual

    private static let payloadType = 6

    /// Reads a supplemental enhancement information NAL unit of H.264.
    ///
    /// - Returns: Nil if it has no such message, or one that cannot be read.
    static func h264(in nalUnit: RawSpan) -> RecoveryPoint? {
        guard let count = try? recoveryFrameCount(in: nalUnit) else { return nil }
        return count == 0 ? .immediate : .gradual
    }

    /// Reads a prefix SEI NAL unit of HEVC, of a picture that decoding may not start at anyway.
    ///
    /// - Returns: Nil if it has no such message, or one that cannot be read.
    static func hevc(in nalUnit: RawSpan) -> RecoveryPoint? {
        guard let count = try? recoveryOrderCount(in: nalUnit) else { return nil }
        return count <= 0 ? .immediate : .gradual
    }

    /// recovery_frame_cnt.
    private static func recoveryFrameCount(in nalUnit: RawSpan) throws(CodecError) -> UInt32? {
        guard var message = try SEIMessage.first(ofType: payloadType, in: nalUnit) else { return nil }
        return try message.reader.readUnsignedGolomb()
    }

    /// recovery_poc_cnt, in the order of presentation.
    private static func recoveryOrderCount(in nalUnit: RawSpan) throws(CodecError) -> Int32? {
        let headerSize = HEVCNALUnitType.headerSize
        guard var message = try SEIMessage.first(ofType: payloadType, in: nalUnit, headerSize: headerSize) else {
            return nil
        }
        return try message.reader.readSignedGolomb()
    }
}
