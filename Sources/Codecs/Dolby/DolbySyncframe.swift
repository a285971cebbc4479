import MediaCore

/// The header of a syncframe of AC-3 (ETSI TS 102 366 § 4.3.1, 4.3.2) or Enhanced AC-3 (§ E.1.2.1, E.1.2.2).
struct DolbySyncframe: AudioFrameHeader {
    /// The one thing that all substreams share.
    var stream: SampleRate
    /// Bytes of the syncframe.
    var frameLength: Int
    var kind: Kind = .independent
    /// Tells apart substreams of one kind.
    var substreamID: UInt8 = 0
    /// The number of blocks of ``samplesPerBlock`` PCM samples each.
    var blocks = 6
    /// True if a frame of fewer than six blocks begins a set of six.
    var isFirstOfSix = false
    var bitstreamIdentification: UInt8
    var bitstreamMode: UInt8 = 0
    var audioCodingMode: UInt8
    var hasLowFrequencyEffects: Bool
    /// The index of the bit rate, for AC-3.
    var bitRateCode: UInt8 = 0
    /// The speakers of a dependent substream's channels, the left one in the most significant bit.
    var channelMap: UInt16 = 0
    /// Complexity index of joint object coding.
    var jointObjectCodingComplexity: UInt8?

    struct SampleRate: Hashable, Sendable {
        /// fscod, or fscod2 if the rate is halved.
        var code: UInt8
        /// The number of times that it is halved: § E.1.3.1.4, and bsid 9 and 10 of AC-3, as encoders use them without
        /// a clause for it.
        var halvings = 0

        /// Hz (Table 4.1).
        var hertz: Int { [48_000, 44_100, 32_000][Int(code)] >> halvings }
    }

    /// strmtyp (Table E.1.1).
    enum Kind: UInt32 {
        case independent, dependent
        /// An independent substream that was AC-3 before.
        case converted
    }

    var isEnhanced: Bool { bitstreamIdentification > 10 }
    /// True if it begins a set of substreams.
    var startsSet: Bool { kind != .dependent && substreamID == 0 }

    var sampleRate: Int { stream.hertz }
    /// Others than substream 0 of the independent ones are other programmes.
    var samples: Int { startsSet ? blocks * Self.samplesPerBlock : 0 }

    static let samplesPerBlock = 256

    /// kbit/s by bitRateCode (Table 4.13).
    static let bitRates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    init(_ bytes: RawSpan) throws(CodecError) {
        var reader = BitReader(bytes)
        guard try reader.read(16) == 0x0B77 else { throw .invalid("AC-3 syncword") }
        // bsid stands at the same place in both.
        var ahead = reader
        try ahead.skip(24)
        switch try ahead.read(5) {
        case 0...10: try self.init(ac3: &reader)
        case 11...16: try self.init(enhanced: &reader)
        default: throw .invalid("bsid")
        }
        guard frameLength >= reader.byteOffset else { throw .invalid("AC-3 frame size") }
    }

    private init(ac3 reader: inout BitReader) throws(CodecError) {
        try reader.skip(16)  // crc1
        stream = SampleRate(code: UInt8(try reader.read(2)))
        guard stream.code < 3 else { throw .invalid("fscod") }
        let sizeCode = Int(try reader.read(6))
        guard Self.bitRates.indices.contains(sizeCode / 2) else { throw .invalid("frmsizecod") }
        bitRateCode = UInt8(sizeCode / 2)
        frameLength = Self.frameLength(sizeCode: sizeCode, sampleRateCode: stream.code)
        bitstreamIdentification = UInt8(try reader.read(5))
        stream.halvings = max(0, Int(bitstreamIdentification) - 8)
        bitstreamMode = UInt8(try reader.read(3))
        audioCodingMode = UInt8(try reader.read(3))
        // § 4.3.2: cmixlev with three front channels, surmixlev with surround channels, dsurmod of stereo.
        if audioCodingMode & 1 != 0, audioCodingMode != 1 { try reader.skip(2) }
        if audioCodingMode & 4 != 0 { try reader.skip(2) }
        if audioCodingMode == 2 { try reader.skip(2) }
        hasLowFrequencyEffects = try reader.readFlag()
    }

    private init(enhanced reader: inout BitReader) throws(CodecError) {
        guard let kind = Kind(rawValue: try reader.read(2)) else { throw .invalid("strmtyp") }
        self.kind = kind
        substreamID = UInt8(try reader.read(3))
        frameLength = (Int(try reader.read(11)) + 1) * 2
        stream = SampleRate(code: UInt8(try reader.read(2)))
        var blockCode = Int(try reader.read(2))
        if stream.code == 3 {
            // § E.1.3.1.4: fscod2 stands in the place of numblkscod, which is then 3.
            stream = SampleRate(code: UInt8(blockCode), halvings: 1)
            blockCode = 3
        }
        guard stream.code < 3 else { throw .invalid("fscod2") }
        blocks = [1, 2, 3, 6][blockCode]
        audioCodingMode = UInt8(try reader.read(3))
        hasLowFrequencyEffects = try reader.readFlag()
        bitstreamIdentification = UInt8(try reader.read(5))
        for _ in 0..<(audioCodingMode == 0 ? 2 : 1) {
            try reader.skip(5)  // dialnorm
            if try reader.readFlag() { try reader.skip(8) }  // compr
        }
        if kind == .dependent, try reader.readFlag() { channelMap = UInt16(try reader.read(16)) }
        if try reader.readFlag() { try skipMixing(&reader, blockCode: blockCode) }
        if try reader.readFlag() { try readInformation(&reader) }
        if kind == .independent, blocks < 6 { isFirstOfSix = try reader.readFlag() }  // convsync
        if kind == .converted {
            let hasSizeCode = blocks == 6 ? true : try reader.readFlag()  // blkid
            if hasSizeCode { try reader.skip(6) }
        }
        if try reader.readFlag() { try readAdditional(&reader) }
    }

    /// Returns the bytes of an AC-3 syncframe (Table 4.13): 1536 samples at the bit rate, in words.
    static func frameLength(sizeCode: Int, sampleRateCode: UInt8) -> Int {
        let rate = bitRates[sizeCode / 2]
        return switch sampleRateCode {
        case 0: rate * 4
        case 1: (rate * 320 / 147 + sizeCode % 2) * 2
        default: rate * 6
        }
    }
}
