/// The SEI message of a picture with closed captions (ATSC A/53 Part 4 § 6.2.3, CTA-708 § 4.4).
package struct CaptionMessage {
    /// Number of the picture, which decides what it carries.
    package var picture: Int

    package init(picture: Int) {
        self.picture = picture
    }

    /// user_data_registered_itu_t_t35 in an SEI NAL unit of H.264.
    package var nalUnit: [UInt8] {
        let triples = [[0xFC] + lineTwentyOne, [0xFD, 0x80, 0x80]] + digital
        let count = UInt8(triples.count)
        let data: [UInt8] =
            [0xB5, 0x00, 0x31] + Array("GA94".utf8) + [0x03, 0xC0 | count, 0xFF] + triples.flatMap { $0 } + [0xFF]
        return [0x06] + ByteStream.escaped([4, UInt8(data.count)] + data + [0x80])
    }

    /// CEA-608, channel 1, field 1: two rows that roll up, one word a second.
    private var lineTwentyOne: [UInt8] {
        let word = Array("CAPTIONS".utf8)
        let pair: [UInt8]
        switch picture % 25 {
        case 0, 1: pair = [0x14, 0x25]
        case 2, 3: pair = [0x14, 0x2D]
        case let place where place >= 4 && place < 4 + word.count / 2:
            pair = Array(word[(place - 4) * 2..<(place - 4) * 2 + 2])
        default: pair = [0, 0]
        }
        // Odd parity.
        return pair.map { $0 | ($0.nonzeroBitCount % 2 == 0 ? 0x80 : 0) }
    }

    /// CEA-708, service 1: a caption channel packet of four bytes, in two triples.
    private var digital: [[UInt8]] {
        let sequence = UInt8(picture % 4) << 6
        // Two bytes of service 1: a letter and end of text.
        return [[0xFF, sequence | 2, 1 << 5 | 2], [0xFE, 0x41, 0x03]]
    }
}
