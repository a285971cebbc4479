package import MediaCore

/// Captions in a picture's user data (ATSC A/53 Part 4 § 6.2.3.1); what cannot be read carries none.
extension CaptionTriplet {
    /// Finds it in H.264 and HEVC.
    ///
    /// - Parameters:
    ///   - nalUnit: A supplemental enhancement information NAL unit, header included.
    ///   - headerSize: Bytes of its header: 1 in H.264, 2 in HEVC.
    /// - Returns: The valid triplets, in order.
    package static func triplets(in nalUnit: RawSpan, headerSize: Int) -> [CaptionTriplet] {
        var triplets: [CaptionTriplet] = []
        var messages = SEIMessages(nalUnit, headerSize: headerSize)
        while var message = try? messages.next() {
            if message.type == UserData.payloadType { try? read(&message, into: &triplets) }
        }
        return triplets
    }

    /// Finds it in AV1.
    ///
    /// - Parameter metadata: A metadata OBU without its header (AV1 § 5.8.2).
    /// - Returns: The valid triplets, in order.
    static func triplets(in metadata: RawSpan) -> [CaptionTriplet] {
        var triplets: [CaptionTriplet] = []
        if var data = try? AV1Metadata.userData(in: metadata) { try? read(&data, into: &triplets) }
        return triplets
    }

    /// Reads cc_data(), if the message has it.
    private static func read(_ message: inout SEIMessage, into triplets: inout [CaptionTriplet]) throws(CodecError) {
        guard UserData.isCaptionData(&message) else { return }
        try message.reader.skip(1)
        let isProcessed = try message.reader.readFlag()  // process_cc_data_flag
        try message.reader.skip(1)
        let count = try message.reader.read(5)
        try message.reader.skip(8)
        guard isProcessed else { return }
        for _ in 0..<count {
            let triplet = try message.reader.read(24)
            guard !message.isOverrun else { return }
            let isValid = triplet >> 18 & 1 == 1
            guard isValid, let kind = Kind(rawValue: UInt8(triplet >> 16 & 3)) else { continue }
            triplets.append(CaptionTriplet(kind, UInt8(triplet >> 8 & 0xFF), UInt8(triplet & 0xFF)))
        }
    }
}
