import NIOCore

extension RTMPMessage {
    /// The messages inside an aggregate message, which are tags of FLV (RTMP 1.0 § 7.1.6); a part of one is left out.
    var parts: [RTMPMessage] {
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
            if [.audio, .video, .data].contains(part.kind) { parts.append(part) }
        }
        return parts
    }
}
