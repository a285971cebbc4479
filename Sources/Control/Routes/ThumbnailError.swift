/// The reason why there is no picture.
package enum ThumbnailError: Error, Hashable, CustomStringConvertible {
    /// The configuration says so.
    case off
    /// The channel has no such input, but these.
    case unknownInput(String, known: [String])
    /// No key frame, or none that can be decoded: before the feed, in a gap, and in a channel without video.
    case nothingToShow

    package var description: String {
        switch self {
        case .off: "thumbnails are off for this channel (thumbnails: on-demand)"
        case .unknownInput(let input, let known):
            "there is no input \"\(input)\"; inputs: \(known.joined(separator: ", "))"
        case .nothingToShow: "there is no picture at the moment"
        }
    }
}
