/// Hands out each name once; later claims get a number.
package struct UniqueNames: Sendable {
    private var taken: Set<String>

    package init(taken: [String] = []) {
        self.taken = Set(taken)
    }

    package mutating func claim(_ name: String) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(name)-\(number)"
            number += 1
        }
        return candidate
    }
}
