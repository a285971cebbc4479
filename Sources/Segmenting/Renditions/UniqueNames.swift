/// Hands out each name once; later claims get a number.
struct UniqueNames: Sendable {
    private var taken: Set<String>

    init(taken: [String] = []) {
        self.taken = Set(taken)
    }

    mutating func claim(_ name: String) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(name)-\(number)"
            number += 1
        }
        return candidate
    }
}
