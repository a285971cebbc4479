/// The reason why there is no picture.
package enum ThumbnailError: Error, Hashable, CustomStringConvertible {
    /// The configuration excludes it.
    case off
    /// The channel does not have that input, but these.
    case unknownInput(String, known: [String])
    /// There is no key frame that can be decoded: before the feed, in a gap, and in a channel without video.
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
