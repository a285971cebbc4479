package import NIOCore

/// A segment of audio frames without a container (RFC 8216bis § 3.1.3): ADTS, AC-3, E-AC-3 or MPEG audio behind an ID3
/// tag that tells its time.
package struct PackedAudioSegment: Sendable {
    /// The time when the first frame is presented, in ticks of 90 kHz that do not wrap.
    var presentationTime: Int64
    /// The setup of frames that are encrypted by SAMPLE-AES.
    var audioSetup: AudioSetupInformation?
    /// Frames, and ID3 tags between them.
    var frames: [ByteBuffer]

    package init(presentationTime: Int64, audioSetup: AudioSetupInformation? = nil, frames: [ByteBuffer]) {
        self.presentationTime = presentationTime
        self.audioSetup = audioSetup
        self.frames = frames
    }

    package func encode() -> ByteBuffer {
        let timestamp = UInt64(bitPattern: presentationTime) & 0x1_FFFF_FFFF
        var tagFrames = Self.privateFrame(
            owner: "com.apple.streaming.transportStreamTimestamp",
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: timestamp >> UInt64($0)) }
        )
        if let audioSetup {
            // MPEG-2 Stream Encryption Format for HTTP Live Streaming § 2.3.3
            tagFrames += Self.privateFrame(owner: "com.apple.streaming.audioDescription", audioSetup.bytes)
        }
        // ID3v2.4 § 3.1: version 4.0, no flags.
        let tag = Array("ID3".utf8) + [4, 0, 0] + Self.synchsafe(tagFrames.count) + tagFrames

        var bytes = ByteBuffer()
        bytes.reserveCapacity(frames.reduce(tag.count) { $0 + $1.readableBytes })
        bytes.writeBytes(tag)
        for frame in frames { bytes.writeImmutableBuffer(frame) }
        return bytes
    }

    /// PRIV (ID3v2.4 native frames § 4.27), without flags.
    private static func privateFrame(owner: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(owner.utf8) + [0] + data
        return Array("PRIV".utf8) + synchsafe(body.count) + [0, 0] + body
    }

    /// Seven bits a byte (ID3v2.4 § 6.2).
    private static func synchsafe(_ size: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: size >> $0 & 0x7F) }
    }
}
