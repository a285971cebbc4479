/// The reason why bytes are not a transport stream that a feed can be made of.
enum TransportStreamError: Error, Hashable, Sendable {
    /// No packet starts at this offset (ISO/IEC 13818-1 § 2.4.3.2), or the last one is cut off.
    case noPacket(offset: Int)
    /// A packet of that PID is missing before this offset, or damaged there.
    case damagedPacket(pid: UInt16, offset: Int)
    case scrambled(pid: UInt16)
    /// A PAT or PMT is missing or malformed.
    case noTable(pid: UInt16)
    /// A PES packet that starts at this offset is malformed or has no timestamp.
    case malformedUnit(pid: UInt16, offset: Int)
    /// Decode timestamps do not rise.
    case unorderedTimestamps(pid: UInt16)
    /// No elementary stream has two access units.
    case noStream
    /// The picture that it starts with is not marked as a random access point.
    case noKeyFrameAtStart
}

extension TransportStreamError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noPacket(let offset): "no transport stream packet at byte \(offset)"
        case .damagedPacket(let pid, let offset): "PID \(pid): packet lost or damaged at byte \(offset)"
        case .scrambled(let pid): "PID \(pid) is scrambled"
        case .noTable(0): "no program association table"
        case .noTable(let pid): "PID \(pid): no program map table"
        case .malformedUnit(let pid, let offset): "PID \(pid): malformed PES packet at byte \(offset)"
        case .unorderedTimestamps(let pid): "PID \(pid): decode timestamps do not rise"
        case .noStream: "no audio or video in it"
        case .noKeyFrameAtStart: "it does not start with a key frame"
        }
    }
}
