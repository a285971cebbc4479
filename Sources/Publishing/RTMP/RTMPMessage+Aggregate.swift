import NIOCore

extension RTMPMessage {
    /// Messages in an aggregate: several seconds of the shortest frames.
    private static let mostParts = 4_096

    /// Reads the messages inside an aggregate message, which are tags of FLV (RTMP 1.0 § 7.1.6); a part of one is left out.
    ///
    /// - Throws: ``RTMPError/excessive(_:)`` if there are more than any encoder sends.
    func parts() throws(RTMPError) -> [RTMPMessage] {
        var rest = payload
        var parts: [RTMPMessage] = []
        var first: UInt32?
        while let kind = rest.readInteger(as: UInt8.self), let size = rest.readUInt24(), let low = rest.readUInt24(),
            let high = rest.readInteger(as: UInt8.self), rest.readUInt24() != nil,
            let payload = rest.readSlice(length: Int(size)), rest.readInteger(as: UInt32.self) != nil
        {
            let time = UInt32(high) << 24 | low
            first = first ?? time
            // Their times count from that of the message.
            let moved = timestamp &+ (time &- (first ?? time))
            let part = RTMPMessage(Kind(rawValue: kind), timestamp: moved, streamID: streamID, payload: payload)
            guard [.audio, .video, .data].contains(part.kind) else { continue }
            guard parts.count < Self.mostParts else { throw .excessive("messages in an aggregate") }
            parts.append(part)
        }
        return parts
    }
}
