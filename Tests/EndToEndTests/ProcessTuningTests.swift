import CGlibc
import Glibc
import Testing

@testable import packager

@Suite struct ProcessTuningTests {
    /// One that lies among small blocks stays resident after it was freed.
    @Test func largeBlocksHavePagesOfTheirOwnWhateverWasFreedBefore() {
        ProcessTuning.keepLargeBlocksApart()
        free(malloc(8 << 20))
        // The first ones may be put where there is room.
        let blocks = (0..<256).map { _ in malloc(1_000_000) }
        defer { for block in blocks { free(block) } }
        let apart = blocks.filter { (malloc_usable_size($0) + 16).isMultiple(of: Int(getpagesize())) }
        #expect(!apart.isEmpty, "whole pages but for a header of 16 bytes")
    }
}
