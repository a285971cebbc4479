package import MediaCore

/// The reason why no clip can be made, in words for the operator.
package enum ClipError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The requested time has no media.
    case nothingRecorded
    /// The clip would be longer than one may be.
    case tooLong(MediaTime)
    /// The rendition is not fragmented MP4.
    case otherFormat(rendition: String)
    /// A file of the recording cannot be read.
    case unreadable(path: String, reason: String)

    package var description: String {
        switch self {
        case .nothingRecorded: "nothing of that time is recorded"
        case .tooLong(let longest):
            "a clip as one file has \(longest.ticks / MediaTime(seconds: 3600).ticks) h at most; make a recording of it instead"
        case .otherFormat(let rendition):
            "\(rendition) is not fragmented MP4, so its segments cannot become one MP4 file"
        case .unreadable(let path, let reason): "\(path): \(reason)"
        }
    }
}
