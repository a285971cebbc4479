import NIOCore

/// Properties of a message that matter to a reader that begins in the middle of a stream.
extension RTMPMessage {
    /// The purpose of a header message, which the next one of that purpose replaces.
    struct Heading: Hashable, Sendable {
        var kind: Kind
        /// The type of the packet, and the track where there are several.
        var place: [UInt8]
    }

    /// The name of metadata or a codec's header; nil for media.
    var heading: Heading? {
        switch kind {
        case .data: isMetadata ? Heading(kind: kind, place: []) : nil
        case .audio: mediaHeading(isEnhanced: { $0 >> 4 == 9 }, multitrack: 5, hasHeader: { $0 >> 4 == 10 })
        case .video: mediaHeading(isEnhanced: { $0 & 0x80 != 0 }, multitrack: 6, hasHeader: Self.hasHeader)
        default: nil
        }
    }

    /// True for the first of pictures that can be decoded without those before it.
    var isKeyFrame: Bool {
        guard kind == .video, heading == nil, let first = byte(0) else { return false }
        return first >> 4 & 7 == 1
    }

    /// AVC, and HEVC and AV1, which encoders send in the same way.
    private static func hasHeader(_ first: UInt8) -> Bool { [7, 12, 13].contains(first & 0x0F) }

    /// Types of packets that begin a sequence, or say how a track is to be shown or heard (Enhanced RTMP v2).
    private static let headings: Set<UInt8> = [0, 4]

    private func mediaHeading(
        isEnhanced: (UInt8) -> Bool,
        multitrack: UInt8,
        hasHeader: (UInt8) -> Bool
    ) -> Heading? {
        guard let first = byte(0), let second = byte(1) else { return nil }
        guard isEnhanced(first) else {
            return hasHeader(first) && second == 0 ? Heading(kind: kind, place: [0]) : nil
        }
        let type = first & 0x0F
        if type == multitrack {
            // Type, codec and number of the first track.
            guard Self.headings.contains(second & 0x0F) else { return nil }
            return Heading(kind: kind, place: Array(payload.readableBytesView.dropFirst().prefix(6)))
        }
        return Self.headings.contains(type) ? Heading(kind: kind, place: [type]) : nil
    }

    private func byte(_ offset: Int) -> UInt8? { payload.getInteger(at: payload.readerIndex + offset) }

    private var isMetadata: Bool {
        var rest = payload
        rest.skipSetDataFrame()
        // A string (AMF 0 § 2.4).
        guard rest.readInteger(as: UInt8.self) == 2, let length = rest.readInteger(as: UInt16.self) else {
            return false
        }
        return rest.readString(length: Int(length)) == "onMetaData"
    }
}
