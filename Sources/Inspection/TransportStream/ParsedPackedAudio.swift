package import NIOCore

/// A segment of packed audio, read: its ID3 tag and where the frames start (RFC 8216bis § 3.1.3).
package struct ParsedPackedAudio: Hashable, Sendable {
    /// The presentation time of the first frame, in ticks of 90 kHz, 33 bits.
    package let presentationTime: Int64
    /// Bytes of audio_setup_information, where frames are encrypted.
    let audioSetup: [UInt8]?
    package let frames: ByteBuffer

    /// The tag is not ID3v2.4, or lacks the time.
    package struct MalformedTagError: Error, Hashable, Sendable {}

    /// Reads a segment.
    ///
    /// - Throws: ``MalformedTagError``.
    package init(_ bytes: ByteBuffer) throws(MalformedTagError) {
        var bytes = bytes
        // ID3v2.4 § 3.1: identifier, version 4.0, flags.
        guard bytes.readBytes(length: 3) == Array("ID3".utf8), bytes.readInteger(as: UInt16.self) == 0x0400,
            bytes.readInteger(as: UInt8.self) == 0, let size = bytes.readSynchsafe(),
            var tag = bytes.readSlice(length: size)
        else { throw MalformedTagError() }
        frames = bytes.slice()

        var privates: [String: [UInt8]] = [:]
        while tag.readableBytes >= 10 {
            // Frames end where padding starts.
            guard let identifier = tag.readString(length: 4), !identifier.hasPrefix("\0") else { break }
            guard let size = tag.readSynchsafe(), tag.readInteger(as: UInt16.self) != nil,
                let body = tag.readBytes(length: size)
            else { throw MalformedTagError() }
            guard identifier == "PRIV", let end = body.firstIndex(of: 0) else { continue }
            privates[String(decoding: body[..<end], as: UTF8.self)] = Array(body[(end + 1)...])
        }
        guard let time = privates["com.apple.streaming.transportStreamTimestamp"], time.count == 8,
            time[..<3].allSatisfy({ $0 == 0 }), time[3] <= 1
        else { throw MalformedTagError() }
        presentationTime = time.reduce(0) { $0 << 8 | Int64($1) }
        audioSetup = privates["com.apple.streaming.audioDescription"]
    }
}

extension ByteBuffer {
    /// Seven bits a byte (ID3v2.4 § 6.2).
    fileprivate mutating func readSynchsafe() -> Int? {
        guard let word = readInteger(as: UInt32.self), word & 0x8080_8080 == 0 else { return nil }
        return Int(word >> 24) << 21 | Int(word >> 16 & 0x7F) << 14 | Int(word >> 8 & 0x7F) << 7 | Int(word & 0x7F)
    }
}
