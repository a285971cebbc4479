import Files
import Foundation
import TestSupport
import Testing

@Suite struct FollowedFilesTests {
    private struct Unequal: Error {}

    /// The text of two files, which have to be the same.
    private static func followed(_ paths: [String]) throws -> FollowedFiles<String> {
        try FollowedFiles(paths) { files in
            guard files[0] == files[1] else { throw Unequal() }
            return String(decoding: files[0], as: UTF8.self)
        }
    }

    @Test func whatFilesBecomeIsTakenUp() throws {
        let directory = try TemporaryDirectory()
        let paths = try ["a", "b"].map { try directory.write("1", to: $0) }
        let files = try Self.followed(paths)
        #expect(files.value == "1")
        #expect(files.look() == nil)
        for path in paths { try Data("2".utf8).write(to: URL(filePath: path)) }
        #expect(try files.look()?.get() == "2")
        #expect(files.value == "2")
        #expect(files.look() == nil)
    }

    /// Somebody who replaces two files replaces one after the other.
    @Test func filesThatDoNotGoTogetherForAMomentAreNoNews() throws {
        let directory = try TemporaryDirectory()
        let paths = try ["a", "b"].map { try directory.write("1", to: $0) }
        let files = try Self.followed(paths)
        _ = try directory.write("2", to: "a")
        #expect(files.look() == nil)
        _ = try directory.write("2", to: "b")
        #expect(try files.look()?.get() == "2")
    }

    @Test(arguments: ["2", nil]) func whatCannotBeUsedIsToldOnceAndChangesNothing(text: String?) throws {
        let directory = try TemporaryDirectory()
        let paths = try ["a", "b"].map { try directory.write("1", to: $0) }
        let files = try Self.followed(paths)
        if let text {
            _ = try directory.write(text, to: "a")
        } else {
            try FileManager.default.removeItem(atPath: paths[0])
        }
        let news = (0..<4).map { _ in files.look() }
        #expect(news.map { $0 == nil } == [true, false, true, true])
        #expect(throws: (any Error).self) { try news[1]?.get() }
        #expect(files.value == "1")
        // Back as it was, and wrong again: that is told again.
        _ = try directory.write("1", to: "a")
        #expect(files.look() == nil)
        _ = try directory.write("3", to: "b")
        #expect(files.look() == nil)
        #expect(files.look() != nil)
    }

    @Test func nothingOfTheFilesIsInADump() throws {
        let directory = try TemporaryDirectory()
        let files = try FollowedFiles([try directory.write("secret", to: "a")]) {
            String(decoding: $0[0], as: UTF8.self)
        }
        var text = ""
        dump(files, to: &text)
        text += "\(files) \(String(reflecting: files))"
        #expect(!text.contains("secret") && !text.contains("\(UInt8(ascii: "s")), "))
    }

    @Test func whatCannotBeUsedAtFirstIsAnError() throws {
        let directory = try TemporaryDirectory()
        let paths = [try directory.write("1", to: "a"), directory.file("b")]
        #expect(throws: FileError.self) { try Self.followed(paths) }
        _ = try directory.write("2", to: "b")
        #expect(throws: Unequal.self) { try Self.followed(paths) }
        #expect(throws: FileError.self) { try Self.followed([directory.path, directory.path]) }
    }
}
