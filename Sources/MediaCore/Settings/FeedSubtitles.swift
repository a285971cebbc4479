/// The texts inside feeds that become subtitles.
package struct FeedSubtitles: Hashable, Sendable {
    package enum Choice: Hashable, Sendable {
        /// No subtitles.
        case none
        /// Tracks of text.
        case text
        /// All pages that the program map declares as subtitles.
        case teletext
        /// A page, whatever the program map says: 100 to 899.
        case page(Int)
        /// DVB subtitles, which another program reads.
        case bitmaps
        case captions(CaptionChannel)
    }

    package var choices: [Choice]

    package init(_ choices: [Choice]) { self.choices = choices }

    /// The services that are text already.
    ///
    /// Captions stay in the video, where players show them unasked for, and bitmaps take a program
    /// that has to be there.
    package static let automatic = Self([.text, .teletext])
    package static let none = Self([.none])

    /// Pages that are asked for by their numbers.
    package var pages: [Int] {
        choices.compactMap { if case .page(let page) = $0 { page } else { nil } }
    }

    /// Captions that are asked for.
    package var captions: [CaptionChannel] {
        choices.compactMap { if case .captions(let channel) = $0 { channel } else { nil } }
    }
}

/// The choice in the words of the setting.
extension FeedSubtitles.Choice: RawRepresentable {
    /// The choices that need no number.
    package static let words: [Self] = [.none, .text, .teletext, .bitmaps]

    package init?(rawValue: String) {
        let page = Int(rawValue).flatMap { 100...899 ~= $0 && rawValue.utf8.count == 3 ? Self.page($0) : nil }
        let found =
            Self.words.first { $0.rawValue == rawValue } ?? page ?? CaptionChannel(rawValue).map(Self.captions)
        guard let found else { return nil }
        self = found
    }

    package var rawValue: String {
        switch self {
        case .none: "none"
        case .text: "text"
        case .teletext: "teletext"
        case .bitmaps: "bitmaps"
        case .page(let page): "\(page)"
        case .captions(let channel): "\(channel)"
        }
    }
}
