import Foundation
import TestSupport
import Testing

@testable import Hosting

/// Directories that files are to be made in.
@Suite struct DirectoryCheckTests {
    @Test func directoryThatIsMissingIsMadeInTheOneAboveIt() throws {
        let directory = try TemporaryDirectory()
        let check = DirectoryCheck(directory.file("one/two"))
        #expect(check.obstacle == nil)
        #expect(check.place == URL(filePath: directory.path).standardizedFileURL.path)
    }

    @Test func fileIsNoDirectory() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("", to: "file")
        #expect(DirectoryCheck("\(file)/state").obstacle == "\(file)/state: \(file) is not a directory")
    }

    /// The rights of root promise more there than the kernel does.
    @Test(arguments: ["/proc/none", "/sys/none/state"]) func kernelHasNoPlaceForFiles(path: String) {
        let obstacle = DirectoryCheck(path).obstacle
        #expect(obstacle?.hasPrefix("\(path): nothing can be written to /") == true, "\(obstacle ?? "none")")
    }
}
