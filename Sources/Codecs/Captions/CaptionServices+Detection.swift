package import MediaCore

extension CaptionServices {
    /// Finds the caption services of a picture.
    ///
    /// Pictures come in decoding order, which mixes up state between pictures, so each is examined by itself. That is
    /// enough to find the service: a caption of CEA-608 begins with codes that name its channel, and a packet of
    /// CEA-708 begins with the header of a service block.
    ///
    /// - Parameter triplets: The triplets of one picture.
    package init(in triplets: [CaptionTriplet]) {
        var packet = CaptionChannelPacket()
        for triplet in triplets {
            switch triplet.kind {
            case .field1: readLine21((triplet.first, triplet.second), firstChannel: 1)
            case .field2: readLine21((triplet.first, triplet.second), firstChannel: 3)
            case .packetStart:
                packet.start(header: triplet.first)
                packet.read(triplet.second, &self)
            case .packetData:
                packet.read(triplet.first, &self)
                packet.read(triplet.second, &self)
            }
        }
    }

    /// Two bytes of CEA-608: a channel has captions once a code comes that begins or ends one.
    ///
    /// Text, extended data services and padding share the channel, and do not count.
    private mutating func readLine21(_ bytes: (UInt8, UInt8), firstChannel: Int) {
        // CTA-608 § 4.2: bytes have odd parity.
        guard bytes.0.nonzeroBitCount % 2 == 1, bytes.1.nonzeroBitCount % 2 == 1 else { return }
        // § 8.4: miscellaneous control codes, 15 and 1D in field 2, where older encoders write 14 and 1C.
        let (code, command) = (bytes.0 & 0x7F, bytes.1 & 0x7F)
        guard code & 0x76 == 0x14 else { return }
        switch command {
        // Resume caption loading, roll-up captions of 2 to 4 rows, resume direct captioning, end of caption.
        case 0x20, 0x25...0x27, 0x29, 0x2F: insert(channel: firstChannel + (code & 0x08 == 0 ? 0 : 1))
        default: break
        }
    }
}
