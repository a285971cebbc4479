/// Counts all elements and keeps the first ones, so that the report on a bad stream stays readable.
package struct CappedList<Element: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    package private(set) var count = 0
    package private(set) var first: [Element] = []

    static var limit: Int { 1000 }

    init() {}

    package mutating func append(_ element: Element) {
        count += 1
        if first.count < Self.limit { first.append(element) }
    }

    mutating func append(contentsOf other: Self) {
        count += other.count
        first += other.first.prefix(Self.limit - first.count)
    }
}
