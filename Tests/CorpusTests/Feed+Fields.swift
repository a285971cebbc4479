import MediaCore
import TestSupport

extension Feed {
    /// H.264 whose pictures are single fields.
    ///
    /// - Parameter isPaired: Whether a packet has both fields of a frame; else each is a packet of its own.
    /// - Returns: The feed.
    static func fields(isPaired: Bool) -> Feed {
        let ticks: Int64 = isPaired ? 3_600 : 1_800
        var packets: [Packet] = []
        for nalUnit in ByteStream.nalUnits(of: FieldPictureStream(frames: 50, delimitsFields: !isPaired).bytes) {
            // A delimiter stands before each.
            if nalUnit.first == 9 {
                let time = ticks * Int64(packets.count)
                let info = PacketInfo(
                    trackIndex: 0,
                    presentationTimestamp: time,
                    decodeTimestamp: time,
                    duration: ticks
                )
                packets.append(Packet(time: MediaTime(ticks: time), info: info, bytes: []))
            }
            packets[packets.endIndex - 1].bytes += [0, 0, 0, 1] + nalUnit
        }
        return Feed(
            tracks: [InputTrack(index: 0, kind: .video, codec: .h264, frameRate: Ratio(25, 1))],
            timestampModulus: 1 << 33,
            packets: packets,
            length: MediaTime(seconds: 2)
        )
    }
}
