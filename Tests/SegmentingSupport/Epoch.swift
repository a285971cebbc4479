package import MediaCore

/// An edge of the grid of four seconds: where the slot of number 0 begins in summaries.
package enum Epoch {
    package static let time = MediaTime(seconds: 1_795_000_000)
    package static let slot = MediaSequenceNumber(448_750_000)

    package static func at(_ milliseconds: Int64) -> MediaTime { time + MediaTime(milliseconds: milliseconds) }
}
