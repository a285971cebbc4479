package import MediaCore

/// Reads one channel of captions as a decoder shows it.
package protocol CaptionReader: Sendable {
    /// A picture was shown.
    ///
    /// - Parameters:
    ///   - triplets: The triplets of the picture.
    ///   - time: The time of the picture, in 90 kHz ticks.
    /// - Returns: The cues that are shown, and those that have ended.
    mutating func read(_ triplets: [CaptionTriplet], at time: Int64) -> [FeedCue]
}

extension CaptionChannel {
    /// Makes a reader of the captions of this channel.
    ///
    /// - Parameter modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    /// - Returns: A reader that has read nothing.
    package func reader(modulus: Int64?) -> any CaptionReader {
        switch self {
        case .line21(let number): Line21Reader(channel: number, modulus: modulus)
        case .service(let number): CaptionServiceReader(service: number, modulus: modulus)
        }
    }
}
