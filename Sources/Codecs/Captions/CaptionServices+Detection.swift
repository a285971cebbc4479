extension CaptionServices {
    /// Finds what a picture's user data carries (ATSC A/53 Part 4 § 6.2.3.1); what cannot be read carries nothing.
    ///
    /// Pictures come in decoding order, which mixes up what one picture leaves to the next, so each is looked at for
    /// itself. That is enough to find who speaks: a caption of CEA-608 begins with codes that name its channel, and a
    /// packet of CEA-708 begins with the header of a service block.
    ///
    /// - Parameters:
    ///   - nalUnit: A supplemental enhancement information NAL unit, header included.
    ///   - headerSize: Bytes of its header: 1 in H.264, 2 in HEVC.
    init(in nalUnit: RawSpan, headerSize: Int) {
        var messages = SEIMessages(nalUnit, headerSize: headerSize)
        while var message = try? messages.next() {
            guard message.type == UserData.payloadType, UserData.isCaptionData(&message) else { continue }
            try? readCaptionData(&message)
        }
    }

    /// cc_type of a triplet (CTA-708 § 4.3).
    private enum TripletType: UInt32 {
        case field1, field2, packetData, packetStart
    }

    /// Reads cc_data().
    private mutating func readCaptionData(_ message: inout SEIMessage) throws(CodecError) {
        try message.reader.skip(1)
        let isProcessed = try message.reader.readFlag()  // process_cc_data_flag
        try message.reader.skip(1)
        let count = try message.reader.read(5)
        try message.reader.skip(8)
        guard isProcessed else { return }
        var packet = CaptionChannelPacket()
        for _ in 0..<count {
            let triplet = try message.reader.read(24)
            guard !message.isOverrun else { return }
            let isValid = triplet >> 18 & 1 == 1
            let bytes = (UInt8(triplet >> 8 & 0xFF), UInt8(triplet & 0xFF))
            guard isValid, let type = TripletType(rawValue: triplet >> 16 & 3) else { continue }
            switch type {
            case .field1: readLine21(bytes, firstChannel: 1)
            case .field2: readLine21(bytes, firstChannel: 3)
            case .packetStart:
                packet.start(header: bytes.0)
                packet.read(bytes.1, &self)
            case .packetData:
                packet.read(bytes.0, &self)
                packet.read(bytes.1, &self)
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
