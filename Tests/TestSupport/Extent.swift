import Foundation

/// The share that is tested of what there are many of: before each change lands some of everything, and by `make
/// test-all` all.
package enum Extent {
    /// True if `TEST_EXTENT=all` is set.
    package static let isWhole = ProcessInfo.processInfo.environment["TEST_EXTENT"] == "all"
}

extension Array {
    /// Every case where all are tested, and otherwise the first of each so many.
    ///
    /// In a matrix that is listed row by row, a step that shares no divisor with the length of a row comes by every
    /// column.
    package func oneIn(_ step: Int) -> [Element] {
        Extent.isWhole ? self : stride(from: 0, to: count, by: step).map { self[$0] }
    }
}
