/// Colour primaries, transfer characteristics and matrix as code points of ISO/IEC 23091-2 (2 is unspecified).
package struct ColourDescription: Hashable, Sendable {
    package var primaries: UInt8
    package var transfer: UInt8
    package var matrix: UInt8
    package var isFullRange: Bool

    package init(primaries: UInt8, transfer: UInt8, matrix: UInt8, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
