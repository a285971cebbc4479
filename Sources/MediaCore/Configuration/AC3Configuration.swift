/// AC-3: the values in the header of every syncframe (ETSI TS 102 366 § 4.3, F.4).
package struct AC3Configuration: Hashable, Sendable {
    /// 0 48 kHz, 1 44.1 kHz, 2 32 kHz.
    package var sampleRateCode: UInt8
    package var bitstreamIdentification: UInt8
    package var bitstreamMode: UInt8
    package var audioCodingMode: UInt8
    package var hasLowFrequencyEffects: Bool
    /// Index of the bit rate: frmsizecod / 2.
    package var bitRateCode: UInt8

    /// PCM samples of one syncframe.
    package static let samplesPerFrame = 1536

    package init(
        sampleRateCode: UInt8,
        bitstreamIdentification: UInt8,
        bitstreamMode: UInt8,
        audioCodingMode: UInt8,
        hasLowFrequencyEffects: Bool,
        bitRateCode: UInt8
    ) {
        self.sampleRateCode = sampleRateCode
        self.bitstreamIdentification = bitstreamIdentification
        self.bitstreamMode = bitstreamMode
        self.audioCodingMode = audioCodingMode
        self.hasLowFrequencyEffects = hasLowFrequencyEffects
        self.bitRateCode = bitRateCode
    }
}
