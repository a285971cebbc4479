import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import Testing

@testable import HTTPServing

@Suite struct StreamTableTests {
    private static let start = NIODeadline.uptimeNanoseconds(0)
    private static let timeouts = ConnectionTimeouts(write: .seconds(60), linger: .seconds(5), shutdown: .seconds(10))

    private static func seconds(_ count: Int64) -> NIODeadline { start + .seconds(count) }

    private static let echo = Verdict.body(limit: 65_536) { body in .answer(.text("\(body?.readableBytes ?? -1)")) }

    private static let asked = StreamTable.Asked(
        responder: FixedResponder(echo),
        request: Request(.GET, "/"),
        since: start
    )

    private static func head(_ more: HPACKHeaders = [:], isLast: Bool = true) -> HTTP2Frame.FramePayload.Headers {
        var fields: HPACKHeaders = [":method": "POST", ":scheme": "https", ":path": "/", ":authority": "x"]
        fields.add(contentsOf: more)
        return .init(headers: fields, endStream: isLast)
    }

    /// A table with streams whose requests have begun.
    private static func table(_ ids: HTTP2StreamID..., isWhole: Bool = true) -> StreamTable {
        var table = StreamTable(timeouts: timeouts, now: start)
        for id in ids {
            guard case .decide = table.headers(head(isLast: isWhole), on: id, at: start) else {
                Issue.record("it does not begin")
                continue
            }
        }
        return table
    }

    /// The text of an answer that is due.
    private static func text(_ action: StreamTable.Action) -> String? {
        guard case .answer(_, .answer(let answer)) = action else { return nil }
        return String(buffer: answer.body)
    }

    private static func causes(_ table: inout StreamTable, at now: NIODeadline) -> [HTTP2StreamID: String] {
        Dictionary(
            table.overdue(at: now).map { id, cause in
                switch cause {
                case .body: (id, "body")
                case .taking: (id, "taking")
                }
            },
            uniquingKeysWith: { first, _ in first + " twice" }
        )
    }

    /// It has them from its own clients.
    @Test func aProxyMayPassOnMalformedRequests() {
        var table = Self.table(1)
        let malformed = Self.head(["connection": "close"])
        for number in 0..<(2 * MultiplexLimits.refusals) {
            // As many as may be in one window, and then as many again.
            let now = Self.seconds(number < MultiplexLimits.refusals ? 29 : 59)
            guard case .refuse = table.headers(malformed, on: HTTP2StreamID(2 * number + 3), at: now) else {
                Issue.record("it is not refused")
                return
            }
        }
        #expect(table.contains(1) && !table.contains(3) && table.lastStream == 1)
        guard case .end = table.headers(malformed, on: 9_999, at: Self.seconds(59)) else {
            Issue.record("there are too many")
            return
        }
    }

    @Test func aBodyIsCollectedAndAnsweredWithItsEnd() {
        var table = Self.table(1, isWhole: false)
        #expect(!table.isAsked)
        #expect(Self.text(table.decided(Self.echo, about: Self.asked, on: 1, at: Self.start)) == nil)
        #expect(Self.text(table.data(ByteBuffer(string: "abc"), isLast: false, on: 1, at: Self.start)) == nil)
        let action = table.data(ByteBuffer(string: "de"), isLast: true, on: 1, at: Self.seconds(3))
        #expect(Self.text(action) == "5")
        guard case .answer(let asked, _) = action else { return }
        #expect(asked.since == Self.seconds(3))
        #expect(table.isAsked)
        #expect(table.answered(1, at: Self.seconds(3)) == false)
        _ = table.closed(1, at: Self.seconds(3))
        #expect(!table.isAsked)
    }

    @Test func aBodyInPiecesOfOneByteIsTooLong() {
        var table = Self.table(1, isWhole: false)
        _ = table.decided(Self.echo, about: Self.asked, on: 1, at: Self.start)
        for _ in 0..<RequestReader.mostPieces {
            #expect(Self.text(table.data(ByteBuffer(string: "x"), isLast: false, on: 1, at: Self.start)) == nil)
        }
        #expect(Self.text(table.data(ByteBuffer(string: "x"), isLast: false, on: 1, at: Self.start)) == "-1")
        #expect(table.answered(1, at: Self.start) == true, "what is not sent yet is not waited for")
    }

    @Test func aBodyThatIsTooLongWithItsLastPieceEndsItsRequest() {
        var table = Self.table(1, isWhole: false)
        _ = table.decided(Self.echo, about: Self.asked, on: 1, at: Self.start)
        let piece = ByteBuffer(repeating: 7, count: 65_537)
        #expect(Self.text(table.data(piece, isLast: true, on: 1, at: Self.start)) == "-1")
        #expect(table.isAsked)
        #expect(table.answered(1, at: Self.start) == false)
    }

    /// Only a body that an answer waits for is given more than the first window.
    @Test func windowsAreOpenedForWhatIsWanted() {
        var table = Self.table(1, 3, isWhole: false)
        _ = table.decided(Self.echo, about: Self.asked, on: 1, at: Self.start)
        table.pends(Self.asked, on: 3)
        for id in [0, 1] as [HTTP2StreamID] {
            #expect(table.increment(on: id, window: 32_767) == nil)
            #expect(table.increment(on: id, window: 32_766) == 32_769)
            #expect(table.increment(on: id, window: 0) == 65_535)
        }
        #expect(table.increment(on: 3, window: 0) == nil)
        _ = table.data(ByteBuffer(), isLast: true, on: 1, at: Self.start)
        #expect(table.increment(on: 1, window: 0) == nil)
        #expect(table.increment(on: 5, window: 0) == nil)
    }

    @Test func eachStreamHasItsTimes() {
        var table = Self.table(1, 3, 5, 7, isWhole: false)
        _ = table.decided(Self.echo, about: Self.asked, on: 1, at: Self.start)
        table.waits(Self.asked, on: 3, reply: { .answer(.text("")) }) {}
        _ = table.answered(5, at: Self.start)
        table.pends(Self.asked, on: 7)
        #expect(table.earliest == Self.seconds(10))
        #expect(Self.causes(&table, at: Self.seconds(9)) == [:])
        #expect(Self.causes(&table, at: Self.seconds(10)) == [1: "body"])
        #expect(table.earliest == Self.seconds(60))
        #expect(Self.causes(&table, at: Self.seconds(60)) == [5: "taking"])
        #expect(Self.causes(&table, at: Self.seconds(9_999)) == [:])
        #expect(table.isIdle(at: Self.seconds(9_999)) == false)
    }

    @Test func aLongAnswerMayTakeAsLongAsItsClientTakesSomeOfIt() {
        var table = Self.table(1)
        _ = table.answered(1, at: Self.start)
        for time in [Int64(50), 100] {
            table.progresses(1, at: Self.seconds(time))
            #expect(Self.causes(&table, at: Self.seconds(time + 59)) == [:])
        }
        #expect(Self.causes(&table, at: Self.seconds(160)) == [1: "taking"])
    }

    /// A follower of events may have none for long, but not leave one lying.
    @Test func whoTakesSomethingNowAndThenKeepsTheStream() {
        var table = Self.table(1)
        table.streamsBody(on: 1) {}
        for minute in Int64(0)..<5 {
            table.offers(1, at: Self.seconds(60 * minute))
            #expect(Self.causes(&table, at: Self.seconds(60 * minute + 59)) == [:])
            table.takes(1)
        }
        #expect(Self.causes(&table, at: Self.seconds(9_000)) == [:])
        table.offers(1, at: Self.seconds(9_000))
        #expect(Self.causes(&table, at: Self.seconds(9_060)) == [1: "taking"])
    }

    /// An answer that is read stays in memory until its client has taken it.
    @Test func fewHaveTheirAnswersRead() throws {
        var table = Self.table(1, 3, 5, 7, 9, 11)
        let turns = [1, 3, 5, 7, 9, 11].map { id in
            let reading = StreamTable.Reading(readers: .live, client: 1) { .text("\(id)") }
            return table.reads(reading, Self.asked, on: HTTP2StreamID(id))
        }
        #expect(turns == [true, true, true, true, false, false])
        #expect(table.concludes(1) != nil)
        #expect(table.concludes(1) == nil, "it is answered once")
        #expect(table.concludes(9) == nil)
        _ = table.answered(1, at: Self.start)
        #expect(table.closed(9, at: Self.start).turn == nil)
        let turn = try #require(table.closed(1, at: Self.start).turn)
        #expect(turn.id == 11 && turn.reading.work().body == ByteBuffer(string: "11"))
        #expect(table.concludes(11) != nil)
    }

    @Test func whoLeavesIsAnsweredNoMore() {
        var table = Self.table(1, 3)
        var given: [String] = []
        table.waits(Self.asked, on: 1, reply: { .answer(.text("")) }) { given.append("wait") }
        table.streamsBody(on: 3) { given.append("body") }
        #expect(table.waiting == [1])
        table.closed(1, at: Self.start).cancel?()
        #expect(table.endsWait(1) == nil)
        for cancel in table.closedAll() { cancel() }
        #expect(given == ["wait", "body"])
        #expect(!table.isAsked && !table.isStreamed(3))
    }

    @Test func anEndIsToldOnceAndComesWithTheLastStream() {
        var table = Self.table(1, 3)
        #expect(table.knowsOfEnd() == nil)
        let quiesces = (0..<2).map { _ in table.quiesces(at: Self.start) }
        #expect(quiesces == [true, false] && !table.ends())
        _ = table.closed(3, at: Self.start)
        #expect(table.knowsOfEnd() == 3)
        #expect(table.knowsOfEnd() == nil)
        #expect(table.ends() == false)
        _ = table.closed(1, at: Self.start)
        #expect([table.ends(), table.ends()] == [true, false])
    }

    @Test func whoSendsNothingMoreIsAnsweredToTheEnd() {
        var table = Self.table(1)
        table.inputClosed()
        #expect(table.ends() == false)
        _ = table.closed(1, at: Self.start)
        #expect(table.ends() == true)
    }

    @Test func anIdleConnectionIsFoundOnce() {
        var table = Self.table(1)
        #expect(table.isIdle(at: Self.seconds(600)) == false)
        _ = table.closed(1, at: Self.seconds(600))
        let found = [659, 660, 999].map { table.isIdle(at: Self.seconds($0)) }
        #expect(found == [false, true, false])
    }
}
