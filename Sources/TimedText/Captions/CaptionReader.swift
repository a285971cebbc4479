package import MediaCore

/// Reads what one channel of captions shows, as a decoder does.
package protocol CaptionReader: Sendable {
    /// A picture was shown.
    ///
    /// - Parameters:
    ///   - triplets: What it has.
    ///   - time: When, in 90 kHz ticks.
    /// - Returns: What is shown, and what of what was shown has ended.
    mutating func read(_ triplets: [CaptionTriplet], at time: Int64) -> [FeedCue]
}

extension CaptionChannel {
    /// Makes a reader of it.
    ///
    /// - Parameter modulus: Where timestamps wrap, in 90 kHz ticks; nil if never.
    /// - Returns: One that has read nothing.
    package func reader(modulus: Int64?) -> any CaptionReader {
        switch self {
        case .line21(let number): Line21Reader(channel: number, modulus: modulus)
        case .service(let number): CaptionServiceReader(service: number, modulus: modulus)
        }
    }
}
