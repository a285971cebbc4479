import Codecs
import TestSupport

/// Short-term reference picture sets as they are written one after another.
struct ReferenceSets {
    struct Reference {
        var delta: Int
        var isUsed: Bool
    }

    private(set) var sets: [[Reference]] = []

    /// Adds a set of chance.
    ///
    /// - Returns: How many of it are used by the current picture.
    mutating func writeNext(to bits: inout BitWriter, isInSlice: Bool, _ generator: inout SeededGenerator) -> Int {
        func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        func toss() -> Bool { Bool.random(using: &generator) }
        var set: [Reference] = []
        let isPredicted = !sets.isEmpty && toss()
        if !sets.isEmpty { bits.write(isPredicted) }
        if isPredicted {
            let distance = isInSlice ? pick(1...sets.count) : 1
            if isInSlice { bits.writeGolomb(distance - 1) }
            let shift = pick(1...4) * (toss() ? 1 : -1)
            bits.write(shift < 0)
            bits.writeGolomb(abs(shift) - 1)
            let source = sets[sets.count - distance]
            for delta in source.map(\.delta) + [0] {
                let isUsed = toss()
                bits.write(isUsed)
                // No picture refers to itself so, and no set grows for ever.
                let isKept = isUsed || delta + shift != 0 && set.count < 6 && toss()
                if !isUsed { bits.write(isKept) }
                if isKept, delta + shift != 0 { set.append(Reference(delta: delta + shift, isUsed: isUsed)) }
            }
            let (before, behind) = (set.filter { $0.delta < 0 }, set.filter { $0.delta > 0 })
            set = before.sorted { $0.delta > $1.delta } + behind.sorted { $0.delta < $1.delta }
        } else {
            let counts = [pick(0...3), pick(0...3)]
            for count in counts { bits.writeGolomb(count) }
            for (count, sign) in zip(counts, [-1, 1]) {
                var delta = 0
                for _ in 0..<count {
                    let step = pick(1...5)
                    delta += sign * step
                    set.append(Reference(delta: delta, isUsed: toss()))
                    bits.writeGolomb(step - 1)
                    bits.write(set.last?.isUsed ?? false)
                }
            }
        }
        sets.append(set)
        return set.count { $0.isUsed }
    }
}
