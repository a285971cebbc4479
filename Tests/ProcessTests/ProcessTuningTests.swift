import CGlibc
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hosting

/// Memory of the process itself, where others would disturb it.
@Suite(.enabled(if: Extent.isWhole), .serialized) struct ProcessTuningTests {
    /// Bytes of this process that are in memory.
    private static func residentSize() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(fields[1])) * Int(getpagesize())
    }

    /// The capacity of a segment's buffer is a power of 2, and its end is often unused.
    @Test func theUnusedEndOfABufferTakesNoMemory() throws {
        ProcessTuning.apply()
        let (size, count) = (4 << 20, 16)
        func buffers(_ used: Int) throws -> [UnsafeMutableRawPointer] {
            try (0..<count).map { _ in
                let buffer = try #require(malloc(size))
                memset(buffer, 1, used)
                return buffer
            }
        }
        // glibc learns from what is freed.
        for buffer in try buffers(size) { free(buffer) }
        let base = try Self.residentSize()
        let (expired, listed) = try (0..<count).reduce(into: ([UnsafeMutableRawPointer](), [UnsafeMutableRawPointer]()))
        {
            let pair = try (0..<2).map { _ in try #require(malloc(size)) }
            for buffer in pair { memset(buffer, 1, size) }
            $0.0.append(pair[$1 % 2])
            $0.1.append(pair[1 - $1 % 2])
        }
        for buffer in expired { free(buffer) }
        let short = try buffers(size / 2)
        defer { for buffer in listed + short { free(buffer) } }
        let grown = try Self.residentSize() - base
        #expect(grown < count * size + count * size / 2 + (4 << 20), "\(grown) bytes")
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
