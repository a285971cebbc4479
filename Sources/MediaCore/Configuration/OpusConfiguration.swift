/// Opus: the identification header (RFC 7845 § 5.1), which `dOps` repeats in big-endian order.
package struct OpusConfiguration: Hashable, Sendable {
    /// Channels that a listener hears.
    package var channels: Int
    /// Samples at 48 kHz that a decoder drops at a start.
    package var preSkip: UInt16
    /// The sample rate before encoding, in Hz; for information only.
    package var inputSampleRate: UInt32
    /// Q7.8 dB.
    package var outputGain: Int16
    package var mappingFamily: UInt8
    /// Stream count, coupled count and the mapping; empty with family 0.
    package var mappingTable: [UInt8]

    /// The sample rate of its timing, in Hz.
    package static let sampleRate = 48_000
    /// PCM samples of the usual packet, of 20 ms; each packet says its own.
    package static let samplesPerFrame = 960

    package init(
        channels: Int,
        preSkip: UInt16,
        inputSampleRate: UInt32,
        outputGain: Int16 = 0,
        mappingFamily: UInt8 = 0,
        mappingTable: [UInt8] = []
    ) {
        self.channels = channels
        self.preSkip = preSkip
        self.inputSampleRate = inputSampleRate
        self.outputGain = outputGain
        self.mappingFamily = mappingFamily
        self.mappingTable = mappingTable
    }
}
