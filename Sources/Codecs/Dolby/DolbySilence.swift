import MediaCore

/// Writes syncframes whose coefficients are all zero.
///
/// Every channel has exponents and no mantissas: with signal-to-noise offsets of 0 nothing is allocated to them
/// (ETSI TS 102 366 § 7.2.2.1), and without dither nothing is put in their place.
struct DolbySilence {
    private var writer = BitWriter()
    private let mode: UInt8
    private let hasLowFrequencyEffects: Bool

    /// Full bandwidth channels.
    private var channels: Int { [2, 1, 2, 3, 3, 4, 4, 5][Int(mode & 7)] }

    private init(mode: UInt8, hasLowFrequencyEffects: Bool) {
        self.mode = mode
        self.hasLowFrequencyEffects = hasLowFrequencyEffects
        writer.write(0x0B77, bits: 16)
    }

    static func frame(_ ac3: AC3Configuration) -> [UInt8]? {
        guard let header = ac3.syncframeHeader else { return nil }
        var silence = DolbySilence(mode: ac3.audioCodingMode, hasLowFrequencyEffects: ac3.hasLowFrequencyEffects)
        silence.writer = header
        for block in 0..<6 { silence.writeBlock(block, isEnhanced: false) }
        let length = DolbySyncframe.frameLength(sizeCode: Int(ac3.bitRateCode) * 2, sampleRateCode: ac3.sampleRateCode)
        guard var frame = silence.padded(to: length) else { return nil }
        // § 6.1.7: crc1 makes the first five eighths zero, and crc2 the rest.
        let middle = (length >> 2 + length >> 4) << 1
        let first = CyclicRedundancyCheck.of16Bits.leadingChecksum([UInt8](frame[4..<middle]))
        (frame[2], frame[3]) = (UInt8(first >> 8), UInt8(first & 0xFF))
        writeChecksum(of: middle, in: &frame)
        return frame
    }

    /// Returns a silent frame of all independent substreams, without those that only add to them.
    static func frame(_ eac3: EAC3Configuration) -> [UInt8]? {
        guard !eac3.independentSubstreams.isEmpty else { return nil }
        let bytes = Int(eac3.dataRate) * 192_000 / eac3.audio.sampleRate / eac3.independentSubstreams.count
        var result: [UInt8] = []
        for (id, substream) in eac3.independentSubstreams.enumerated() {
            guard let frame = frame(substream, id: id, length: min(max(bytes, 128), 4096) & ~1) else { return nil }
            result += frame
        }
        return result
    }

    private static func frame(_ substream: EAC3Configuration.Substream, id: Int, length: Int) -> [UInt8]? {
        let mode = substream.audioCodingMode
        var silence = DolbySilence(mode: mode, hasLowFrequencyEffects: substream.hasLowFrequencyEffects)
        silence.writeInformation(substream, id: id, length: length)
        silence.writeFrameStrategies()
        for block in 0..<6 { silence.writeBlock(block, isEnhanced: true) }
        guard var frame = silence.padded(to: length) else { return nil }
        writeChecksum(of: 2, in: &frame)
        return frame
    }

    private func padded(to length: Int) -> [UInt8]? {
        // auxdatae and crcrsv or encinfo, and the checksum.
        guard writer.bytes.count + 3 <= length else { return nil }
        return writer.bytes + [UInt8](repeating: 0, count: length - writer.bytes.count)
    }

    private static func writeChecksum(of start: Int, in frame: inout [UInt8]) {
        let end = frame.count - 2
        let checksum = CyclicRedundancyCheck.of16Bits.checksum([UInt8](frame[start..<end]))
        (frame[end], frame[end + 1]) = (UInt8(checksum >> 8), UInt8(checksum & 0xFF))
    }
}

extension DolbySilence {
    /// bsi() (§ E.1.2.2).
    private mutating func writeInformation(_ substream: EAC3Configuration.Substream, id: Int, length: Int) {
        writer.write(0, bits: 2)  // strmtyp
        writer.write(id, bits: 3)
        writer.write(length / 2 - 1, bits: 11)
        writer.write(substream.sampleRateCode, bits: 2)
        writer.write(3, bits: 2)  // six blocks
        writer.write(mode, bits: 3)
        writer.write(hasLowFrequencyEffects)
        writer.write(max(11, substream.bitstreamIdentification), bits: 5)
        for _ in 0..<(mode == 0 ? 2 : 1) { writer.write(31 << 1, bits: 6) }  // dialnorm, compre
        writer.write(false)  // mixmdate
        let hasInformation = substream.bitstreamMode != 0
        writer.write(hasInformation)
        if hasInformation {
            writer.write(substream.bitstreamMode, bits: 3)
            writer.write(0, bits: 2)
            if mode == 2 { writer.write(0, bits: 4) }
            if mode >= 6 { writer.write(0, bits: 2) }
            writer.write(0, bits: mode == 0 ? 3 : 2)  // audprodie, sourcefscod
        }
        writer.write(false)  // addbsie
    }

    /// audfrm() (§ E.1.2.3): everything that need not be said is left out of the blocks.
    private mutating func writeFrameStrategies() {
        writer.write(true)  // expstre
        writer.write(false)  // ahte
        writer.write(0, bits: 2)  // snroffststr: one for the frame
        writer.write(0, bits: 2)  // transproce, blkswe
        writer.write(true)  // dithflage
        writer.write(0, bits: 5)  // bamode, frmfgaincode, dbaflde, skipflde, spxattene
        if mode > 1 {
            writer.write(0, bits: 1 + 5)  // cplinu of the first block, cplstre of the others
        }
        for block in 0..<6 { writeExponentStrategies(block) }
        if hasLowFrequencyEffects { writer.write(0b100000, bits: 6) }
        writer.write(0, bits: 5 * channels)  // convexpstr
        writer.write(0, bits: 6 + 4)  // frmcsnroffst, frmfsnroffst
        writer.write(false)  // blkstrtinfoe
    }

    /// audblk() (§ 4.3.3, E.1.2.4).
    private mutating func writeBlock(_ block: Int, isEnhanced: Bool) {
        let isFirst = block == 0
        if !isEnhanced { writer.write(0, bits: channels) }  // blksw
        writer.write(0, bits: channels)  // dithflag
        writer.write(0, bits: mode == 0 ? 2 : 1)  // dynrnge
        if isEnhanced {
            writer.write(false)  // spxinu, or spxstre
        } else {
            writer.write(isFirst)  // cplstre
            if isFirst { writer.write(false) }  // cplinu
        }
        if mode == 2 {
            if !isFirst || !isEnhanced { writer.write(isFirst) }  // rematstr
            if isFirst { writer.write(0, bits: 4) }
        }
        if !isEnhanced {
            writeExponentStrategies(block)
            if hasLowFrequencyEffects { writer.write(isFirst) }
        }
        if isFirst { writeExponents() }
        if isEnhanced {
            writer.write(false)  // convsnroffste
        } else {
            writeAllocation(isFirst: isFirst)
        }
    }

    /// New ones in groups of twelve, D45, in the first block; the same ones in the others.
    private mutating func writeExponentStrategies(_ block: Int) {
        for _ in 0..<channels { writer.write(block == 0 ? 3 : 0, bits: 2) }
    }

    private mutating func writeExponents() {
        writer.write(0, bits: 6 * channels)  // chbwcod: 73 coefficients
        for _ in 0..<channels {
            writer.write(15, bits: 4)
            for _ in 0..<6 { writer.write(Self.flat, bits: 7) }
            writer.write(0, bits: 2)  // gainrng
        }
        if hasLowFrequencyEffects {
            writer.write(15, bits: 4)
            for _ in 0..<2 { writer.write(Self.flat, bits: 7) }
        }
    }

    /// baie, snroffste, deltbaie and skiple, with their fields.
    private mutating func writeAllocation(isFirst: Bool) {
        writer.write(isFirst)
        if isFirst { writer.write(0, bits: 11) }
        writer.write(isFirst)
        if isFirst { writer.write(0, bits: 6 + 7 * (channels + (hasLowFrequencyEffects ? 1 : 0))) }
        writer.write(0, bits: 2)
    }

    /// Three exponents that do not differ from the one before them (§ 7.1.3).
    private static let flat = 2 * 25 + 2 * 5 + 2
}
