import MediaCore

/// The bytes that can be delivered once a PES packet has come.
struct AssembledPayload {
    /// The bytes that waited for this packet; they go first.
    var joined: Part?
    /// The bytes of this packet that go under its own name; empty if none do.
    var whole: Range<Int>
    /// PCM samples, as for a part.
    var delay: Int64 = 0

    struct Part {
        var info: PacketInfo
        var bytes: [UInt8]
        /// PCM samples from the packet's timestamp to the first frame, which is not the one that it was stated for.
        var delay: Int64 = 0
    }
}
