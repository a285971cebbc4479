import MediaCore

/// What can be delivered once a PES packet has come.
struct AssembledPayload {
    /// What had waited for this packet's bytes, or for its beginning; it goes first.
    var joined: (info: PacketInfo, bytes: [UInt8])?
    /// The bytes of this packet that go under its own name; empty where none do.
    var whole: Range<Int>
}
