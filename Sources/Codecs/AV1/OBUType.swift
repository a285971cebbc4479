/// obu_type (AV1 § 6.2.2); other values are reserved.
enum OBUType: UInt8 {
    case sequenceHeader = 1
    case temporalDelimiter
    case frameHeader
    case tileGroup
    case metadata
    case frame
    case redundantFrameHeader
    case tileList
    case padding = 15
}
