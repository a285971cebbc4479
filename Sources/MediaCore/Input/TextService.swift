/// The form in which a feed has a text.
package enum TextService: Hashable, Sendable {
    /// A track of text.
    case track
    /// A page of teletext, by the number that viewers know it by: 100 to 899.
    case teletext(page: Int)
    /// DVB subtitles: bitmaps, which are read.
    case bitmaps
    case captions(CaptionChannel)
}

extension TextService: CustomStringConvertible {
    package var description: String {
        switch self {
        case .track: "text"
        case .teletext(let page): "teletext page \(page)"
        case .bitmaps: "bitmaps"
        case .captions(let channel): "\(channel)"
        }
    }
}
