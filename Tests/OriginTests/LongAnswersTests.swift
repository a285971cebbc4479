import HTTPServing
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@testable import Origin

/// The bound of what is made for single clients.
@Suite struct LongAnswersTests {
    private static let short = 1000

    /// Room of which one client may have so many bytes.
    private static func answers(_ share: Int) -> LongAnswers { LongAnswers(limit: 2 * share, short: short) }

    private static func answer(_ count: Int) -> Answer {
        .ok(["ETag": "\"x\""], ByteBuffer(repeating: 0x20, count: count))
    }

    /// Makes an answer whose size is known, if there is room for it.
    private static func admit(_ count: Int, _ answers: LongAnswers, of client: Int = 1) -> Answer? {
        answers.room(for: count, of: client).flatMap { answers.admit(answer(count), in: $0) }
    }

    /// One that reads slowly leaves half of it to others.
    @Test func aClientHasHalfOfTheRoom() {
        let count = Self.short * 2
        let answers = Self.answers(3 * count)
        var held = (0..<3).map { _ in Self.admit(count, answers) }
        #expect(!held.contains { $0 == nil } && Self.admit(count, answers) == nil)
        held += (0..<3).map { _ in Self.admit(count, answers, of: 2) }
        #expect(!held.contains { $0 == nil } && answers.byteCount == 6 * count)
        #expect(Self.admit(count, answers, of: 3) == nil)
        held.removeLast()
        #expect(Self.admit(count, answers) == nil)
        #expect(Self.admit(count, answers, of: 3) != nil)
        held = []
        #expect(answers.byteCount == 0 && Self.admit(count, answers) != nil)
    }

    @Test func shortAnswersAreSentAsTheyAre() throws {
        let answers = Self.answers(1)
        let answer = try #require(Self.admit(Self.short, answers))
        #expect(answer.stream == nil)
        #expect(answer.body.readableBytes == Self.short)
        #expect(answers.byteCount == 0)
    }

    @Test func longAnswersTakeRoomForAsLongAsTheyAreSent() async throws {
        let count = Self.short + 1
        let answers = Self.answers(count * 2)
        var first = Self.admit(count, answers)
        #expect(first?.body.readableBytes == 0)
        #expect(first?.fields.contains(name: "Content-Length") == false)
        let second = Self.admit(count, answers)
        #expect(second != nil)
        #expect(Self.admit(count, answers) == nil)
        #expect(answers.byteCount == count * 2)
        first = nil
        #expect(answers.byteCount == count)
        let sent = Mutex(0)
        try await second?.stream? { bytes in sent.withLock { $0 += bytes.readableBytes } }
        #expect(sent.withLock { $0 } == count)
        #expect(Self.admit(count, answers) != nil)
    }

    @Test func roomIsTakenBeforeATextIsMadeAndCorrectedThen() throws {
        let answers = Self.answers(10_000)
        var room = answers.room(for: 8000, of: 1)
        #expect(answers.byteCount == 8000)
        #expect(answers.room(for: 2001, of: 1) == nil)
        #expect(answers.byteCount == 8000)
        var answer = answers.admit(Self.answer(3000), in: try #require(room))
        room = nil
        #expect(answer?.stream != nil && answers.byteCount == 3000)
        answer = nil
        #expect(answers.byteCount == 0)
        // One that is short at last needs none.
        let short = answers.admit(Self.answer(Self.short), in: try #require(answers.room(for: 8000, of: 1)))
        #expect(short?.stream == nil && answers.byteCount == 0)
    }

    @Test func aTextThatIsLongerThanWasKnownNeedsRoomAsWell() throws {
        let answers = Self.answers(10_000)
        let other = answers.room(for: 5000, of: 1)
        let longer = answers.admit(Self.answer(5001), in: try #require(answers.room(for: 2000, of: 1)))
        #expect(longer == nil && answers.byteCount == 5000)
        let fits = answers.admit(Self.answer(5000), in: try #require(answers.room(for: 2000, of: 1)))
        #expect(fits != nil && answers.byteCount == 10_000)
        withExtendedLifetime((other, fits)) {}
    }

    @Test(arguments: [10_001, Int.max]) func whatDoesNotFitAtAllIsRefused(count: Int) {
        let answers = Self.answers(10_000)
        let other = answers.room(for: 9000, of: 1)
        #expect(answers.room(for: count, of: 1) == nil && answers.byteCount == 9000)
        withExtendedLifetime(other) {}
    }

    @Test func aFloodTakesNoMoreThanTheLimit() async {
        let count = Self.short * 2
        let answers = Self.answers(count * 5)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    // Making it takes more than it has at last.
                    guard let room = answers.room(for: count * 2, of: 1) else { return false }
                    #expect(answers.byteCount <= count * 5)
                    await Task.yield()
                    guard let answer = answers.admit(Self.answer(count), in: room) else { return false }
                    try? await answer.stream? { _ in
                        #expect(answers.byteCount <= count * 5)
                        await Task.yield()
                    }
                    return true
                }
            }
            #expect(await group.contains(true))
        }
        #expect(answers.byteCount == 0)
    }
}
