import Foundation
import Glibc
import Logging
import Testing

@testable import Operations

/// Lines as the journal of systemd gets them.
@Suite struct JournalStreamTests {
    @Test func theJournalIsToldByDeviceAndInode() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        var status = stat()
        try #require(fstat(descriptor, &status) == 0)
        let name = "\(status.st_dev):\(status.st_ino)"
        #expect(JournalStream.reads(descriptor, environment: ["JOURNAL_STREAM": name]))
        for other in ["\(status.st_dev):\(status.st_ino + 1)", "", ":", "1", "\(name):1", "a:b"] {
            #expect(!JournalStream.reads(descriptor, environment: ["JOURNAL_STREAM": other]), "\(other)")
        }
        #expect(!JournalStream.reads(descriptor, environment: [:]))
        #expect(!JournalStream.reads(-1, environment: ["JOURNAL_STREAM": name]))
    }

    @Test func linesHavePrioritiesAndNoTimeOfTheirOwn() throws {
        let pipe = Pipe()
        let writer = LineWriter(pipe.fileHandleForWriting.fileDescriptor, isJournal: true)
        writer.write(LogLine(.warning, "gap", [("channel", "live")]), .text)
        writer.write(LogLine(.debug, "request"), .text)
        writer.complain("packager: there are 2 problems:\n  one\n  two")
        writer.flush(until: .now() + .seconds(60))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try #require(try pipe.fileHandleForReading.readToEnd()), as: UTF8.self)
        #expect(
            text == """
                <4>gap channel=live
                <7>request
                <2>packager: there are 2 problems:
                <2>  one
                <2>  two

                """
        )
    }

    @Test func jsonKeepsItsMembers() throws {
        let pipe = Pipe()
        let writer = LineWriter(pipe.fileHandleForWriting.fileDescriptor, isJournal: true)
        writer.write(LogLine(.error, "gap", at: Date(timeIntervalSince1970: 0)), .json)
        writer.flush(until: .now() + .seconds(60))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try #require(try pipe.fileHandleForReading.readToEnd()), as: UTF8.self)
        #expect(text == #"<3>{"time":"1970-01-01T00:00:00.000Z","level":"error","message":"gap"}"# + "\n")
    }
}
