import MediaCore

/// An event of a feed's reader.
enum FeedEvent: Sendable {
    case opened([InputTrack], timestampModulus: Int64?)
    case received(PacketInfo, [UInt8])
    /// An ID3 tag.
    case tag(PacketInfo, [UInt8])
    /// A section of SCTE-35.
    case splice([UInt8])
    case noticed(InputNotice)
    case examined(ContentFinding)
    case lost(String)
    case ended
}
