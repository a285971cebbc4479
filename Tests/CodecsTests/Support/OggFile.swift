import NIOCore

@testable import Codecs

/// An Ogg file around Opus packets (RFC 7845), for FFmpeg to read.
enum OggFile {
    static func bytes(identificationHeader: [UInt8], frames: [AudioFrame]) -> [UInt8] {
        let tags: [UInt8] = Array("OpusTags".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]
        var position = 0
        var result = page(identificationHeader, sequence: 0, position: 0, flags: 2)
        result += page(tags, sequence: 1, position: 0)
        for (index, frame) in frames.enumerated() {
            position += frame.samples
            result += page(Array(frame.payload.readableBytesView), sequence: index + 2, position: position)
        }
        return result
    }

    /// A page of one packet (RFC 3533 § 6).
    private static func page(_ packet: [UInt8], sequence: Int, position: Int, flags: UInt8 = 0) -> [UInt8] {
        let lacing = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        var page = Array("OggS".utf8) + [0, flags] + littleEndian(position, bytes: 8) + littleEndian(1, bytes: 4)
        page += littleEndian(sequence, bytes: 4) + [0, 0, 0, 0, UInt8(lacing.count)] + lacing + packet
        var checksum: UInt32 = 0
        for byte in page {
            checksum ^= UInt32(byte) << 24
            for _ in 0..<8 { checksum = checksum << 1 ^ (checksum >> 31) &* 0x04C1_1DB7 }
        }
        page.replaceSubrange(22..<26, with: littleEndian(Int(checksum), bytes: 4))
        return page
    }

    private static func littleEndian(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
