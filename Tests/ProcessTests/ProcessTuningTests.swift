import CGlibc
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hosting

/// Memory of the process itself, where others would disturb it.
@Suite(.enabled(if: Extent.isWhole)) struct ProcessTuningTests {
    /// Bytes of this process that are in memory.
    private static func residentSize() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(fields[1])) * Int(getpagesize())
    }

    /// Blocks of replaced channels lie between those that stay.
    @Test func whatIsFreeBetweenBlocksIsReturned() throws {
        let blocks = try (0..<8_192).map { _ in
            let block = try #require(malloc(16_384))
            memset(block, 1, 16_384)
            return block
        }
        for (index, block) in blocks.enumerated() where index % 64 != 0 { free(block) }
        defer { for (index, block) in blocks.enumerated() where index % 64 == 0 { free(block) } }
        let before = try Self.residentSize()
        ProcessTuning.returnFreeMemory()
        let after = try Self.residentSize()
        #expect(before - after > 64 << 20, "\(before) and \(after) bytes")
    }
}
