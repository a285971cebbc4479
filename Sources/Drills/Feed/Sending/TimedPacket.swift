import MediaCore

/// A packet of 188 bytes, and when it is sent.
struct TimedPacket: Hashable, Sendable {
    var time: MediaTime
    var bytes: [UInt8]
}
