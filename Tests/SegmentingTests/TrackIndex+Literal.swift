@testable import Segmenting

/// Tests name tracks by their numbers.
extension TrackIndex: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(value) }
}
