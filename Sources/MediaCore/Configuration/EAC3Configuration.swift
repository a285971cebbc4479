/// Enhanced AC-3: the body of `dec3` (ETSI TS 102 366 § F.6).
package struct EAC3Configuration: Hashable, Sendable {
    /// kbit/s of all substreams together.
    package var dataRate: UInt16
    package var independentSubstreams: [Substream]
    /// Complexity index of joint object coding (Atmos), where the stream has it: 1 to 16.
    package var jointObjectCodingComplexity: UInt8?

    /// An independent substream with those that depend on it.
    package struct Substream: Hashable, Sendable {
        /// 0 48 kHz, 1 44.1 kHz, 2 32 kHz.
        package var sampleRateCode: UInt8
        package var bitstreamIdentification: UInt8
        package var bitstreamMode: UInt8
        package var audioCodingMode: UInt8
        package var hasLowFrequencyEffects: Bool
        package var dependentSubstreams: UInt8
        /// Nine bits, chan_loc; 0 without dependent substreams.
        package var channelLocations: UInt16

        package init(
            sampleRateCode: UInt8,
            bitstreamIdentification: UInt8 = 16,
            bitstreamMode: UInt8 = 0,
            audioCodingMode: UInt8,
            hasLowFrequencyEffects: Bool,
            dependentSubstreams: UInt8 = 0,
            channelLocations: UInt16 = 0
        ) {
            self.sampleRateCode = sampleRateCode
            self.bitstreamIdentification = bitstreamIdentification
            self.bitstreamMode = bitstreamMode
            self.audioCodingMode = audioCodingMode
            self.hasLowFrequencyEffects = hasLowFrequencyEffects
            self.dependentSubstreams = dependentSubstreams
            self.channelLocations = channelLocations
        }
    }

    /// PCM samples of one sample of a track: six blocks, of one syncframe or of several (ETSI TS 102 366 § F.6.1).
    package static let samplesPerFrame = 1536

    package init(
        dataRate: UInt16,
        independentSubstreams: [Substream],
        jointObjectCodingComplexity: UInt8? = nil
    ) {
        self.dataRate = dataRate
        self.independentSubstreams = independentSubstreams
        self.jointObjectCodingComplexity = jointObjectCodingComplexity
    }
}
