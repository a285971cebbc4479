/// The reason why there is no picture.
package enum ThumbnailError: Error, Hashable, CustomStringConvertible {
    /// The configuration says so.
    case off
    /// The channel has no such input, but these.
    case unknownInput(String, known: [String])
    /// There is no key frame, or nothing that can be decoded: before the feed, in a gap, and where there is no video.
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
