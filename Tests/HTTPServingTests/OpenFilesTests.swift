import Files
import Foundation
import Glibc
import NIOCore
import TestSupport
import Testing

@testable import HTTPServing

/// The files that are open.
@Suite struct OpenFilesTests {
    private static func place(_ path: String, _ range: Range<Int> = 0..<9) -> FilePlace {
        FilePlace(path: path, range: range)
    }

    @Test func noMoreThanSoManyAreOpen() throws {
        let directory = try TemporaryDirectory()
        let files = OpenFiles(limit: 8)
        var parts: [FilePart] = []
        for index in 0..<1_000 {
            let path = try directory.write("some text", to: "\(index)")
            if let part = files.part(Self.place(path)) { parts.append(part) }
            #expect(files.count <= 8)
        }
        #expect(parts.count == 8)
        // What is open already can be sent to any number of clients.
        for index in 0..<1_000 {
            if let part = files.part(Self.place(directory.file("\(index % 8)"), 2..<5)) { parts.append(part) }
        }
        #expect(parts.count == 1_008)
        #expect(files.count == 8)
        parts.removeAll()
        #expect(files.count == 0)
        #expect(files.part(Self.place(directory.file("999"))) != nil)
        #expect(files.count == 0)
    }

    @Test func aFileThatIsReplacedIsAnotherOne() throws {
        let directory = try TemporaryDirectory()
        let files = OpenFiles(limit: 8)
        let path = try directory.write("old bytes", to: "media")
        let old = try #require(files.part(Self.place(path)))
        try FileManager.default.removeItem(atPath: path)
        #expect(files.part(Self.place(path)) == nil)
        _ = try directory.write("new bytes", to: "media")
        let new = try #require(files.part(Self.place(path)))
        #expect(files.count == 2)
        #expect(try String(buffer: old.file.read(atMost: 9)) == "old bytes")
        #expect(try String(buffer: new.file.read(atMost: 9)) == "new bytes")
        #expect(old.isWhole && new.isWhole)
        #expect(truncate(path, 8) == 0)
        #expect(old.isWhole && !new.isWhole)
    }

    @Test func whatIsShortOrNoFileHasToBeRead() throws {
        let directory = try TemporaryDirectory()
        let files = OpenFiles(limit: 8)
        let path = try directory.write("some text", to: "media")
        #expect(files.part(Self.place(path, 0..<10)) == nil)
        #expect(files.part(Self.place(path, 20..<30)) == nil)
        #expect(files.part(Self.place(directory.path)) == nil)
        #expect(symlink(path, directory.file("link")) == 0)
        #expect(files.part(Self.place(directory.file("link"))) == nil)
        #expect(mkfifo(directory.file("fifo"), 0o600) == 0)
        #expect(files.part(Self.place(directory.file("fifo"))) == nil)
        #expect(files.count == 0)
    }
}
