/// The number of viewers of a channel, and how the players fare that report it (CTA-5004).
package struct Audience: Hashable, Sendable {
    /// Viewers of the last 30 seconds.
    package var viewers = 0
    /// Viewers whose players report by CMCD.
    package var reporting = 0
    /// Viewers who ran out of media within the last minute.
    package var stalled = 0
    /// The number of stalls since the start.
    package var stalls = 0
    /// Milliseconds of media that players have, on average; nil if none says it.
    package var bufferLength: Double?
    /// The mean bit rate that players request, in kbit/s, of video and audio together.
    package var bitRate: Double?
    /// Kilobits a second that they have measured, on average.
    package var throughput: Double?

    package init() {}
}
