import MediaCore

/// A packet of a feed.
struct Packet: Sendable {
    /// The time when it comes, counted from the feed's beginning: no packet of a multiplex comes before the one that it
    /// follows.
    var time: MediaTime
    var info: PacketInfo
    var bytes: [UInt8]
}
