/// The bandwidth of a rendition that is declared instead of measured, in bits a second.
package struct DeclaredBandwidth: Hashable, Sendable {
    /// The name in URLs: `video-1080p`.
    package var rendition: String
    /// BANDWIDTH, with the heaviest audio that is played along.
    package var peak: Int
    /// AVERAGE-BANDWIDTH.
    package var average: Int

    package init(rendition: String, peak: Int, average: Int) {
        self.rendition = rendition
        self.peak = peak
        self.average = average
    }
}
