/// The recovery point SEI message (ISO/IEC 14496-10 Annex D).
enum RecoveryPoint {
    private static let payloadType = 6

    /// Whether a NAL unit of type 6 says that pictures are right from here on: recovery_frame_cnt 0.
    static func isImmediate(in nalUnit: RawSpan) -> Bool {
        (try? recoveryFrameCount(in: nalUnit)) == 0
    }

    /// The recovery_frame_cnt of the first such message, or nil where there is none.
    private static func recoveryFrameCount(in nalUnit: RawSpan) throws(CodecError) -> UInt32? {
        guard var message = try SEIMessage.first(ofType: payloadType, in: nalUnit) else { return nil }
        return try message.reader.readUnsignedGolomb()
    }
}
