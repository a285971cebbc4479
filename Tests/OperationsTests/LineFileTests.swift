import Foundation
import TestSupport
import Testing

@testable import Operations

@Suite struct LineFileTests {
    /// The file is moved away, as logrotate does, and lines continue into a new one of its name.
    @Test func linesGoOnInANewFileOnceTheOldOneWasMovedAway() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("access.log")
        let file = try LineFile(path)
        file.write("one")
        file.flush()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        file.write("two")
        file.flush()
        try file.reopen()
        file.write("three")
        file.flush()
        #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == "one\ntwo\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "three\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect((mode ?? 0o777) & 0o007 == 0, "it tells who watches")
    }

    @Test func whatIsThereStays() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("zero\n", to: "access.log")
        let file = try LineFile(path)
        file.write("one")
        file.flush()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "zero\none\n")
    }

    @Test func aFileThatCannotBeOpenedIsRefusedInWords() throws {
        let error = #expect(throws: LineFileError.self) { _ = try LineFile("/proc/none/access.log") }
        #expect(error?.description == "/proc/none/access.log: No such file or directory")
    }
}
