import MediaCore
import Testing

@testable import Ingest

/// News of pages of teletext that an operator hears; times are seconds.
@Suite struct TeletextWatchTests {
    private struct Driver {
        var watch: TeletextWatch
        var now: Int64 = 0
        var modulus: Int64? = 1 << 33
        var said: [String] = []

        init(_ pages: [Int] = [888], at start: Int64 = 0) {
            watch = TeletextWatch(pages: pages)
            now = start
        }

        /// Packets come in every second of a time; `read` are pages of which the decoder shows text.
        mutating func send(_ packets: [[UInt8]], for seconds: Int64, read: Set<Int> = []) {
            let lines = TeletextFixture.lines(packets)
            for _ in 0..<seconds {
                now += MediaTime.timescale
                let time = Timestamps.reduce(now, modulus: modulus)
                said += watch.received(lines, read: read, at: time, modulus: modulus).map { news in
                    let second = now / MediaTime.timescale
                    return switch news {
                    case .unreadable(let pages, let fault): "\(second) \(pages) \(fault)"
                    case .readable(let pages, let seconds): "\(second) \(pages) after \(seconds)"
                    }
                }
            }
        }
    }

    private let page = TeletextFixture()

    @Test func pagesThatAreReadAreNotTold() {
        var driver = Driver()
        for _ in 0..<100 {
            driver.send(page.shown("text"), for: 20, read: [888])
            driver.send(page.cleared, for: 300)
        }
        #expect(driver.said == [])
    }

    @Test(arguments: TeletextFixture.Damage.allCases)
    func damageIsToldOnceWithItsEnd(damage: TeletextFixture.Damage) {
        var driver = Driver()
        driver.send(page.shown("text"), for: 5, read: [888])
        var damaged = page
        damaged.damage = damage
        driver.send(damaged.shown("text"), for: 4_000)
        driver.send(page.shown("text"), for: 60, read: [888])
        #expect(driver.said.count == 2, "\(driver.said)")
        #expect(driver.said.first?.hasSuffix(" [888] damaged") == true)
        #expect(driver.said.first.flatMap { Int($0.prefix { $0 != " " }) }.map { 15...19 ~= $0 } == true)
        #expect(driver.said.last?.hasPrefix("4007 [888] after ") == true)
    }

    /// Damaged subtitles that are cleared in between, so that the clear pages are read.
    @Test func aClearPageEndsNothing() {
        var driver = Driver()
        var damaged = page
        damaged.damage = .parity
        for _ in 0..<100 {
            driver.send(damaged.shown("text"), for: 3)
            driver.send(page.cleared, for: 2)
        }
        #expect(driver.said.count == 1 && driver.said.first?.hasSuffix("damaged") == true)
    }

    /// A page that is repeated, and that no other header ends.
    @Test func aPageThatNothingEndsIsTold() {
        var driver = Driver()
        driver.send([page.header, page.row(20, "text")], for: 600)
        #expect(driver.said.count == 1 && driver.said.first?.hasSuffix(" [888] unended") == true, "\(driver.said)")
        // Another magazine ends it only where pages are sent one after the other.
        var other = page
        other.page = 150
        var parallel = Driver()
        parallel.send([page.header, page.row(20, "text"), other.header], for: 600)
        #expect(parallel.said.count == 1 && parallel.said.first?.hasSuffix(" [888] unended") == true)
    }

    /// Rows outside of a box come, and the page ends: nothing of it is shown.
    @Test func whatIsNotShownIsTold() {
        var driver = Driver()
        driver.send(page.shown("text"), for: 60)
        #expect(driver.said.count == 1 && driver.said.first?.hasSuffix(" [888] notShown") == true)
        var later = Driver()
        later.send(page.shown("text"), for: 5, read: [888])
        later.send(page.shown("text"), for: 60)
        #expect(later.said == [], "what an inserter puts out of its box while nobody speaks")
    }

    @Test(arguments: [true, false])
    func headersAloneAreToldAfterAMinute(areEnded: Bool) {
        var driver = Driver()
        driver.send(areEnded ? page.cleared : [page.header], for: 4_000)
        driver.send(page.shown("text"), for: 1, read: [888])
        driver.send(page.cleared, for: 4_000)
        #expect(driver.said == ["61 [888] empty", "4002 [888] after 4000"])
    }

    @Test func emptyPagesThatAreDamagedThenAreToldAgain() {
        var driver = Driver()
        driver.send(page.cleared, for: 70)
        var damaged = page
        damaged.damage = .parity
        driver.send(damaged.shown("text"), for: 70)
        #expect(driver.said.map { $0.split(separator: " ").last } == ["empty", "damaged"])
    }

    /// Faults that come and go are told at most once in ten minutes.
    @Test func whatChangesAgainAndAgainFloodsNobody() {
        var driver = Driver()
        var damaged = page
        damaged.damage = .parity
        for _ in 0..<120 {
            driver.send(damaged.shown("text"), for: 25)
            driver.send(page.shown("text"), for: 5, read: [888])
        }
        #expect(driver.said.count <= 2 * (3_600 / 600) && driver.said.count >= 8, "\(driver.said)")
    }

    /// A stream of which nothing can be read is one piece of news, whatever it has.
    @Test func pagesOfAStreamAreToldTogether() {
        var driver = Driver(Array(100..<164))
        var damaged = page
        damaged.damage = .rowAddress
        driver.send([[UInt8]](repeating: damaged.row(1, "text"), count: 3), for: 600)
        #expect(driver.said.count == 1 && driver.said.first?.hasSuffix("damaged") == true, "\(driver.said)")
    }

    /// A full service of other pages, of which one packet in a hundred is damaged, and nobody speaks.
    @Test func noiseOfOtherPagesSaysNothing() {
        var driver = Driver([888, 889])
        var other = page
        other.page = 100
        var rows: [[UInt8]] = []
        for number in 0..<4 {
            other.page = 100 + number
            rows += [other.header] + (1...23).map { other.row($0, "text") }
        }
        other.damage = .rowAddress
        driver.send(page.shown("text"), for: 2, read: [888])
        driver.send(page.cleared + rows + [other.row(1, "text")], for: 4_000)
        #expect(driver.said == [])
    }

    /// One page of two is damaged; the other is read.
    @Test func onlyThePageThatIsDamagedIsTold() {
        var driver = Driver([150, 888])
        var other = page
        other.page = 150
        other.damage = .control
        driver.send(page.shown("text") + other.shown("other"), for: 100, read: [888])
        #expect(driver.said.count == 1 && driver.said.first?.hasSuffix(" [150] damaged") == true, "\(driver.said)")
    }

    @Test func timesMayWrapAndJump() {
        var damaged = page
        damaged.damage = .parity
        var driver = Driver(at: 1 << 33 - 5 * MediaTime.timescale)
        driver.send(damaged.shown("text"), for: 60)
        #expect(driver.said.count == 1)
        var jumping = Driver()
        jumping.send(damaged.shown("text"), for: 1)
        jumping.now += 3_600 * MediaTime.timescale
        jumping.send(damaged.shown("text"), for: 1)
        #expect(jumping.said == [], "an hour that did not go by")
    }

    /// An input that breaks off again and again is told of its pages once.
    @Test func whatWasToldOutlivesAnOpening() {
        var driver = Driver()
        var damaged = page
        damaged.damage = .parity
        for _ in 0..<20 {
            driver.send(damaged.shown("text"), for: 25)
            driver.watch.declare([888, 150])
        }
        #expect(driver.said.count == 1)
        driver.send(page.shown("text"), for: 3, read: [888])
        #expect(driver.said.count == 2)
    }

    @Test(
        arguments: [[], [0x10], [0x10, 0x03], [0x10, 0x03, 0x2C, 0xE7], [0x10, 0x03, 0x01, 0x00, 0x02]] as [[UInt8]]
    )
    func shortPacketsHaveNoLines(payload: [UInt8]) {
        #expect(TeletextPacket(payload).lines == [])
    }

    @Test func codeWords() {
        for nibble in 0..<16 as Range<UInt8> {
            let word = TeletextCode.encode(nibble)
            #expect(TeletextCode.decode(word) == nibble)
            for bit in 0..<8 { #expect(TeletextCode.decode(word ^ 1 << bit) == nibble) }
            for bit in 1..<8 { #expect(TeletextCode.decode(word ^ 1 ^ 1 << bit) == nil) }
        }
        // EN 300 706 table 10, with the bit that is sent first in the lowest place.
        #expect(TeletextCode.encode(0) == 0x15 && TeletextCode.encode(15) == 0xEA && TeletextCode.encode(8) == 0xD0)
    }
}
