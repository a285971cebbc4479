import MediaCore

/// Decides when to report that teletext pages are unreadable, and when they can be read again.
///
/// It is pure: it takes lines and their times, and returns news. A page is reported once until it was read, and at most
/// once in ten minutes, however often it changes.
struct TeletextWatch: Sendable {
    /// Pages by number, as viewers know them.
    enum News: Hashable, Sendable {
        case unreadable(pages: [Int], TeletextFault)
        /// Text of the pages came, so many seconds after the first could not be read.
        case readable(pages: [Int], seconds: Int)
    }

    /// Rows of a page that have not been read.
    private struct Rows {
        let since: Int64
        var latest: Int64
        var whole = 0
        var damaged = 0
        /// The number of times that the page has ended since.
        var ends = 0

        var span: Int64 { latest - since }
    }

    /// Lines that may belong to a page, and have too many errors.
    private struct Strays {
        let since: Int64
        var latest: Int64
        /// The number of whole lines in place before it.
        let wholeBefore: Int
        var count = 0

        var span: Int64 { latest - since }
    }

    private struct Page {
        let magazine: Int
        /// Tens and units.
        let code: UInt8
        var rows: Rows?
        /// Rows as they were before its newest header: those behind it may be shown with its end.
        var finished: Rows?
        var strays: Strays?
        var firstHeader: Int64?
        /// True once a row with text, or a damaged one, has come.
        var hasHadRows = false
        /// True once text of the page was read.
        var hasBeenRead = false
        /// The reported fault and its beginning; nil if text has come since.
        var reported: (fault: TeletextFault, since: Int64)?
        var reportedAt: Int64?

        /// Notes that the page's header came.
        mutating func begins() { finished = rows }
    }

    // Times are 90 kHz ticks.
    /// Time over which rows come unread before that is a fault; a page is shown with its end, which follows at once.
    private static let patience = 10 * MediaTime.timescale
    /// Time over which signs are counted, and then anew.
    private static let period = 60 * MediaTime.timescale
    /// Time without rows before that is reported, for there may be no speech.
    private static let quiet = 60 * MediaTime.timescale
    /// Time before a page is reported again.
    private static let repetition = 600 * MediaTime.timescale
    /// Longest step of a clock that has not jumped.
    private static let longestStep = 10 * MediaTime.timescale
    /// Time within which pages that change are reported together.
    private static let interval = MediaTime.timescale
    /// Fewest rows, or strays, of a fault.
    private static let leastSigns = 3
    /// Least part of the lines that strays must be: noise in a full service of other pages says nothing.
    private static let strayShare = 4

    /// Pages that are read, by number.
    private var pages: [Int: Page] = [:]
    /// Pages whose rows come now, by magazine.
    private var open: [Int: (code: UInt8, isSerial: Bool)] = [:]
    private var whole = 0
    /// The time of the feed, which never goes back.
    private var now: Int64 = 0
    private var latest: Int64?
    private var judgedAt: Int64 = 0
    /// Pages that can be read since then, each after so many seconds.
    private var readable: [Int: Int] = [:]

    /// - Parameter pages: Numbers of those that are read.
    init(pages: [Int] = []) { declare(pages) }

    /// Declares the pages of a stream that was opened, reopened or changed; reports of a page are not repeated.
    mutating func declare(_ numbers: [Int]) {
        let before = pages
        pages = [:]
        for number in numbers {
            let code = UInt8((number / 10 % 10) << 4 | number % 10)
            var page = before[number] ?? Page(magazine: number / 100, code: code)
            (page.rows, page.finished, page.strays) = (nil, nil, nil)
            pages[number] = page
        }
        (open, latest) = ([:], nil)
    }

    /// A packet of the stream came, and its decoders have read it.
    ///
    /// - Parameters:
    ///   - lines: The lines, in the order of sending.
    ///   - read: The pages whose text was shown with it.
    ///   - time: The time in 90 kHz ticks.
    ///   - modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    /// - Returns: The news to report.
    mutating func received(_ lines: [TeletextLine], read: Set<Int>, at time: Int64, modulus: Int64?) -> [News] {
        if let latest {
            now += min(max(Timestamps.distance(from: latest, to: time, modulus: modulus), 0), Self.longestStep)
        }
        latest = time
        var news: [News] = []
        if now - judgedAt >= Self.interval {
            judgedAt = now
            news = readableNews() + faultNews()
        }
        for line in lines { received(line) }
        for number in read { noteRead(number) }
        return news
    }

    private mutating func received(_ line: TeletextLine) {
        switch line {
        case .header(let header): received(header)
        case .row(let magazine, let isWhole, let hasText):
            guard let code = open[magazine]?.code else { return }
            if isWhole { whole += 1 }
            guard !isWhole || hasText, let number = number(magazine, code) else { return }
            noteRow(number) { if isWhole { $0.whole += 1 } else { $0.damaged += 1 } }
        case .damaged: for number in pages.keys { noteStray(number) }
        case .other: break
        }
    }

    private mutating func received(_ header: TeletextLine.Header) {
        guard let code = header.page else {
            // The page of the following rows is unknown.
            open = [:]
            for (number, page) in pages where page.magazine == header.magazine { noteStray(number) }
            return
        }
        for (magazine, page) in open {
            let isSame = magazine == header.magazine && page.code == code
            guard !isSame, magazine == header.magazine || page.isSerial else { continue }
            if let number = number(magazine, page.code) { pages[number]?.rows?.ends += 1 }
            open[magazine] = nil
        }
        let number = number(header.magazine, code)
        if let number { pages[number]?.begins() }
        guard let control = header.control else {
            open[header.magazine] = nil
            if let number { noteRow(number) { $0.damaged += 1 } }
            return
        }
        whole += 1
        open[header.magazine] = (code, control.isSerial)
        if let number, pages[number]?.firstHeader == nil { pages[number]?.firstHeader = now }
    }

    private func number(_ magazine: Int, _ code: UInt8) -> Int? {
        let number = magazine * 100 + Int(code >> 4) * 10 + Int(code & 0xF)
        return pages[number]?.code == code ? number : nil
    }

    private mutating func noteRow(_ number: Int, _ change: (inout Rows) -> Void) {
        guard var page = pages[number] else { return }
        var rows = page.rows ?? Rows(since: now, latest: now)
        if now - rows.since > Self.period { rows = Rows(since: now, latest: now) }
        rows.latest = now
        change(&rows)
        (page.rows, page.hasHadRows) = (rows, true)
        pages[number] = page
    }

    private mutating func noteStray(_ number: Int) {
        var strays = pages[number]?.strays ?? Strays(since: now, latest: now, wholeBefore: whole)
        if now - strays.since > Self.period { strays = Strays(since: now, latest: now, wholeBefore: whole) }
        strays.latest = now
        strays.count += 1
        pages[number]?.strays = strays
    }

    private mutating func noteRead(_ number: Int) {
        guard var page = pages[number] else { return }
        if let reported = page.reported { readable[number] = Int((now - reported.since) / MediaTime.timescale) }
        (page.rows, page.finished, page.strays) = (nil, nil, nil)
        (page.reported, page.hasBeenRead) = (nil, true)
        pages[number] = page
    }

    private mutating func readableNews() -> [News] {
        guard let seconds = readable.values.max() else { return [] }
        defer { readable = [:] }
        return [.readable(pages: readable.keys.sorted(), seconds: seconds)]
    }

    private mutating func faultNews() -> [News] {
        var news: [TeletextFault: [Int]] = [:]
        for number in pages.keys.sorted() {
            guard var page = pages[number], let (fault, since) = fault(of: page) else { continue }
            // An empty page is no fault yet.
            if let reported = page.reported, reported.fault != .empty || fault == .empty { continue }
            if page.reported == nil, let reportedAt = page.reportedAt {
                if fault == .empty || now - reportedAt < Self.repetition { continue }
            }
            (page.reported, page.reportedAt) = ((fault, since), now)
            pages[number] = page
            news[fault, default: []].append(number)
        }
        return TeletextFault.allCases.compactMap { fault in news[fault].map { .unreadable(pages: $0, fault) } }
    }

    private func fault(of page: Page) -> (TeletextFault, since: Int64)? {
        let strays = page.strays.flatMap { strays in
            strays.count * Self.strayShare >= whole - strays.wholeBefore ? strays : nil
        }
        if let rows = page.finished, rows.span >= Self.patience, now - rows.latest < Self.period,
            rows.whole + rows.damaged >= Self.leastSigns
        {
            let damaged = rows.damaged + (strays?.count ?? 0)
            if damaged >= rows.whole { return (.damaged, rows.since) }
            if rows.ends == 0 { return (.unended, rows.since) }
            if damaged > 0 { return (.damaged, rows.since) }
            // A page that was read may have no box while nobody speaks.
            if !page.hasBeenRead { return (.notShown, rows.since) }
        }
        if let strays, now - strays.latest <= Self.interval, strays.span >= Self.patience,
            strays.count >= Self.leastSigns
        {
            return (.damaged, strays.since)
        }
        guard !page.hasBeenRead, !page.hasHadRows, let first = page.firstHeader, now - first >= Self.quiet else {
            return nil
        }
        return (.empty, first)
    }
}
