import MediaCore
import TimedText

/// Pages of bitmaps, which are shown once they have been read, in order.
struct BitmapPages {
    private struct Page {
        var number: Int
        /// The start in 90 kHz ticks.
        var start: Int64
        var duration: Int64?
        /// True if its content is known; nil content says nothing.
        var isRead: Bool
        var content: CueContent?
    }

    private let recognizer: TextRecognizer
    private var screen: ScreenText
    private var pages: [Page] = []
    private var count = 0

    /// - Parameters:
    ///   - language: As tesseract calls it.
    ///   - modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    init(language: String, modulus: Int64?) {
        recognizer = TextRecognizer(language: language)
        screen = ScreenText(modulus: modulus)
    }

    /// True if there are pages or problems that were not delivered.
    var isWaiting: Bool { !pages.isEmpty || recognizer.hasObstacle }

    /// Returns the reason why something cannot be read; once.
    func takeObstacle() -> TextObstacle? { recognizer.takeObstacle() }

    /// A page came up.
    mutating func add(_ page: SubtitleDecoder.Page) {
        count += 1
        let isReading = !page.bitmaps.isEmpty && recognizer.read(page.bitmaps, number: count)
        pages.append(Page(number: count, start: page.start, duration: page.duration, isRead: !isReading))
    }

    /// Returns the cues that were read meanwhile.
    mutating func takeCues() -> [FeedCue] {
        for (number, text) in recognizer.takeResults() {
            guard let place = pages.firstIndex(where: { $0.number == number }) else { continue }
            pages[place].isRead = true
            pages[place].content = CueContent(plain: text)
        }
        var cues: [FeedCue] = []
        while let page = pages.first, page.isRead {
            pages.removeFirst()
            cues += screen.show(page.content, at: page.start, for: page.duration)
        }
        return cues
    }
}
