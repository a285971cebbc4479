/// A rule that a transport stream breaks.
package struct TransportStreamViolation: Hashable, Sendable {
    package var rule: Rule
    /// The PID of the packet; nil if the violation is not about one PID.
    var pid: UInt16?
    /// The offset of that packet from the start of the data, in bytes.
    var offset: Int

    package enum Rule: Hashable, Sendable {
        case wrongSyncByte
        case truncatedPacket
        case malformedAdaptationField
        case transportError
        case scrambled
        case continuityJump
        /// PAT and PMT are not the first packets.
        case tablesNotFirst
        case wrongChecksum
        case malformedSection
        case severalPrograms
        /// A table changes within a segment, or without another version number.
        case tableChanged
        case unannouncedPID
        /// A PES packet continues from before the segment.
        case unitNotAtStart
        case malformedUnit
        /// A PES packet is cut off, or has not the stated length.
        case wrongUnitLength
        case missingTimestamp
        case presentationBeforeDecoding
        case decodeTimesNotRising
        /// The first picture is not marked as a random access point.
        case noRandomAccess
        case noClock
        case clockTooRare
        case clockBackwards
        case clockAfterDecoding
    }
}

extension TransportStreamViolation: CustomStringConvertible {
    package var description: String { "byte \(offset)\(pid.map { ", PID \($0)" } ?? ""): \(rule.text)" }
}

extension TransportStreamViolation.Rule {
    fileprivate var text: String {
        switch self {
        case .wrongSyncByte: "no packet starts here (ISO/IEC 13818-1 § 2.4.3.3)"
        case .truncatedPacket: "a packet is cut off (ISO/IEC 13818-1 § 2.4.3.1)"
        case .malformedAdaptationField: "an adaptation field does not fit (ISO/IEC 13818-1 § 2.4.3.5)"
        case .transportError: "a packet is marked as damaged (ISO/IEC 13818-1 § 2.4.3.3)"
        case .scrambled: "a packet is scrambled (ISO/IEC 13818-1 § 2.4.3.3)"
        case .continuityJump: "the continuity counter jumps (ISO/IEC 13818-1 § 2.4.3.3)"
        case .tablesNotFirst: "PAT and PMT are not the first packets (RFC 8216bis § 3.1.1)"
        case .wrongChecksum: "a section's CRC_32 is wrong (ISO/IEC 13818-1 Annex A)"
        case .malformedSection: "a section is malformed (ISO/IEC 13818-1 § 2.4.4)"
        case .severalPrograms: "there is not exactly one program (RFC 8216bis § 3.1.1)"
        case .tableChanged: "the program map changes unannounced (ISO/IEC 13818-1 § 2.4.4.9)"
        case .unannouncedPID: "the program map does not tell what this is (ISO/IEC 13818-1 § 2.4.4.8)"
        case .unitNotAtStart: "the segment starts within a PES packet (RFC 8216bis § 3.1.1)"
        case .malformedUnit: "a PES packet is malformed (ISO/IEC 13818-1 § 2.4.3.6)"
        case .wrongUnitLength: "a PES packet is not as long as it says (ISO/IEC 13818-1 § 2.4.3.7)"
        case .missingTimestamp: "a stream starts without a timestamp (ISO/IEC 13818-1 § 2.7.5)"
        case .presentationBeforeDecoding: "PTS is before DTS (ISO/IEC 13818-1 § 2.4.3.7)"
        case .decodeTimesNotRising: "DTS does not rise (ISO/IEC 13818-1 § 2.4.3.7)"
        case .noRandomAccess: "decoding cannot start with the first picture (RFC 8216bis § 3.1.1)"
        case .noClock: "there is no PCR (ISO/IEC 13818-1 § 2.7.2)"
        case .clockTooRare: "PCR is more than 100 ms apart (ISO/IEC 13818-1 § 2.7.2)"
        case .clockBackwards: "PCR runs backwards (ISO/IEC 13818-1 § 2.4.3.5)"
        case .clockAfterDecoding: "PCR is after DTS (ISO/IEC 13818-1 § 2.4.2.7)"
        }
    }
}
