/// A run of slots whose segments share their content keys, numbered from 1970.
package struct CryptoPeriod: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var index: Int64

    package init(_ index: Int64) {
        self.index = index
    }

    package var next: Self { Self(index + 1) }

    package var description: String { String(index) }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.index < rhs.index }
}
