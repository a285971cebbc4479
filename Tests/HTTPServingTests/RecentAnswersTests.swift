import Files
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import HTTPServing

/// Answers with files that are given again for a second.
@Suite struct RecentAnswersTests {
    private let directory: TemporaryDirectory
    private let files = OpenFiles(limit: 8)
    private let answers = RecentAnswers()
    private let start = NIODeadline.now()

    init() throws {
        directory = try TemporaryDirectory()
        _ = try directory.write("some text", to: "media")
    }

    private func answer(_ status: HTTPResponseStatus = .ok) throws -> Answer {
        let place = FilePlace(path: directory.file("media"), range: 2..<7)
        return .ok(["ETag": "a"], try #require(files.part(place)), status: status)
    }

    @Test func anAnswerIsGivenAgainForASecond() throws {
        let first = try answer()
        answers.note(first, at: "a", start)
        try withExtendedLifetime(first) {
            let next = try #require(answers.answer(at: "a", start + .milliseconds(999)))
            #expect(next.file.range == 2..<7)
            #expect(next.head.bytes == first.encodedHead)
            #expect(answers.answer(at: "b", start) == nil)
            #expect(answers.answer(at: "a", start + .seconds(1)) == nil)
        }
    }

    /// A file is open while it is being sent, and no longer.
    @Test func anAnswerThatNobodyIsBeingSentIsMadeAnew() throws {
        var first: Answer? = try answer()
        answers.note(try #require(first), at: "a", start)
        var next = answers.answer(at: "a", start)?.file
        first = nil
        #expect(first == nil && next != nil && answers.answer(at: "a", start) != nil)
        #expect(files.count == 1)
        next = nil
        #expect(answers.answer(at: "a", start) == nil)
        #expect(files.count == 0)
    }

    @Test func onlyWholeFilesAreKept() throws {
        let (part, text) = (try answer(.partialContent), Answer.text("text"))
        answers.note(part, at: "part", start)
        answers.note(text, at: "text", start)
        withExtendedLifetime(part) {
            #expect(answers.answer(at: "part", start) == nil)
            #expect(answers.answer(at: "text", start) == nil)
        }
    }

    @Test func noMoreThanSoManyAreKept() throws {
        let first = try answer()
        func known(_ time: NIODeadline) -> Int {
            (0..<1_000).count { answers.answer(at: "\($0)", time) != nil }
        }
        withExtendedLifetime(first) {
            for index in 0..<1_000 { answers.note(first, at: "\(index)", start) }
            #expect(known(start) == RecentAnswers.capacity)
            // Those that are over make room.
            answers.note(first, at: "999", start + .seconds(1))
            #expect(answers.answer(at: "999", start + .seconds(1)) != nil)
            #expect(known(start + .seconds(1)) == 1)
        }
    }
}
