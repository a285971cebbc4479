import HTTPServing
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@testable import Origin

/// The bound of what is made for single clients.
@Suite struct LongAnswersTests {
    private static func answer(_ count: Int) -> Answer {
        .ok(["ETag": "\"x\""], ByteBuffer(repeating: 0x20, count: count))
    }

    @Test func shortAnswersAreSentAsTheyAre() throws {
        let answers = LongAnswers(limit: 1)
        let answer = try #require(answers.admit(Self.answer(LongAnswers.short)))
        #expect(answer.stream == nil)
        #expect(answer.body.readableBytes == LongAnswers.short)
        #expect(answers.byteCount == 0)
    }

    @Test func longAnswersTakeRoomForAsLongAsTheyAreSent() async throws {
        let count = LongAnswers.short + 1
        let answers = LongAnswers(limit: count * 2)
        var first = answers.admit(Self.answer(count))
        #expect(first?.body.readableBytes == 0)
        #expect(first?.fields.contains(name: "Content-Length") == false)
        let second = answers.admit(Self.answer(count))
        #expect(second != nil)
        #expect(answers.admit(Self.answer(count)) == nil)
        #expect(answers.byteCount == count * 2)
        first = nil
        #expect(answers.byteCount == count)
        let sent = Mutex(0)
        try await second?.stream? { bytes in sent.withLock { $0 += bytes.readableBytes } }
        #expect(sent.withLock { $0 } == count)
        #expect(answers.admit(Self.answer(count)) != nil)
    }

    @Test func aFloodTakesNoMoreThanTheLimit() async {
        let count = LongAnswers.short * 2
        let answers = LongAnswers(limit: count * 5)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    guard let answer = answers.admit(Self.answer(count)) else { return false }
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
