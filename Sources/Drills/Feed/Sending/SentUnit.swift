import MPEGTS
import MediaCore

/// An access unit on its way.
struct SentUnit: Hashable, Sendable {
    /// The index of the encoder's configuration that it belongs to.
    var part: Int
    /// The time when its first packet is sent, and the time when the unit after it follows.
    var begin: MediaTime
    var end: MediaTime
    var pid: UInt16
    var header: PESHeader
    var isKey: Bool
    /// The bytes to send; nil if a fault suppresses the unit.
    var payload: [UInt8]?
}
