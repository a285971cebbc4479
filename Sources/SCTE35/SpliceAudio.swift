/// One of the audio streams that an audio_descriptor lists (ANSI/SCTE 35 § 10.3.5).
package struct SpliceAudio: Hashable, Sendable {
    package var componentTag: UInt8
    /// Three characters of ISO 639-2.
    package var language: [UInt8]
    /// The value of ATSC A/52 Table 5.7.
    package var bitStreamMode: UInt8
    /// The value of ATSC A/52 Table A4.5.
    package var channels: UInt8
    package var isFullService: Bool
}
