/// AES-128 as FIPS 197 writes it, slowly and without OpenSSL: what encryptors are compared with and undone by.
struct ReferenceAES {
    private let roundKeys: [[UInt8]]

    init(key: [UInt8]) {
        var words = stride(from: 0, to: 16, by: 4).map { Array(key[$0..<($0 + 4)]) }
        var constant: UInt8 = 1
        for index in 4..<44 {
            var word = words[index - 1]
            if index % 4 == 0 {
                word = [word[1], word[2], word[3], word[0]].map { Self.substitutions[Int($0)] }
                word[0] ^= constant
                constant = Self.double(constant)
            }
            words.append(zip(words[index - 4], word).map { $0 ^ $1 })
        }
        roundKeys = stride(from: 0, to: 44, by: 4).map { Array(words[$0..<($0 + 4)].joined()) }
    }

    func encrypt(_ block: [UInt8]) -> [UInt8] {
        var state = zip(block, roundKeys[0]).map { $0 ^ $1 }
        for round in 1...10 {
            state = state.map { Self.substitutions[Int($0)] }
            state = (0..<16).map { state[($0 + 4 * ($0 % 4)) % 16] }
            if round < 10 { state = Self.mixColumns(state) }
            state = zip(state, roundKeys[round]).map { $0 ^ $1 }
        }
        return state
    }

    func decrypt(_ block: [UInt8]) -> [UInt8] {
        var state = zip(block, roundKeys[10]).map { $0 ^ $1 }
        for round in (0..<10).reversed() {
            state = (0..<16).map { state[($0 + 12 * ($0 % 4)) % 16] }
            state = state.map { Self.inverseSubstitutions[Int($0)] }
            state = zip(state, roundKeys[round]).map { $0 ^ $1 }
            // Mixed four times, a column is what it was.
            if round > 0 { for _ in 0..<3 { state = Self.mixColumns(state) } }
        }
        return state
    }

    private static func mixColumns(_ state: [UInt8]) -> [UInt8] {
        (0..<16).map { index in
            let column = index & ~3
            let at = { (offset: Int) in state[column + (index + offset) % 4] }
            return double(at(0)) ^ double(at(1)) ^ at(1) ^ at(2) ^ at(3)
        }
    }

    private static func double(_ byte: UInt8) -> UInt8 {
        byte << 1 ^ (byte & 0x80 == 0 ? 0 : 0x1B)
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (left, result) = (left, UInt8(0))
        for bit in 0..<8 {
            if right >> bit & 1 == 1 { result ^= left }
            left = double(left)
        }
        return result
    }

    /// The multiplicative inverse, then the affine transformation (FIPS 197 § 5.1.1).
    private static let substitutions: [UInt8] = (0...255).map { (byte: UInt8) in
        let inverse = (1...255).first { product(byte, $0) == 1 } ?? 0
        return (1...4).reduce(inverse ^ 0x63) { $0 ^ (inverse << $1 | inverse >> (8 - $1)) }
    }

    private static let inverseSubstitutions: [UInt8] = (0...255).map { (byte: UInt8) in
        UInt8(substitutions.firstIndex(of: byte) ?? 0)
    }
}

/// `cbcs` as ISO/IEC 23001-7 § 10.4 tells it, one block after the other.
struct ReferenceSampleEncryptor {
    var aes: ReferenceAES
    var iv: [UInt8]
    var cryptBlocks: Int
    var skipBlocks: Int

    func encrypt(_ sample: [UInt8], protected ranges: [Range<Int>]) -> [UInt8] {
        var result = sample
        for range in ranges {
            var previous = iv
            var block = 0
            var position = range.lowerBound
            while range.upperBound - position >= 16 {
                if skipBlocks == 0 || block % (cryptBlocks + skipBlocks) < cryptBlocks {
                    previous = aes.encrypt(zip(sample[position..<(position + 16)], previous).map { $0 ^ $1 })
                    result.replaceSubrange(position..<(position + 16), with: previous)
                }
                block += 1
                position += 16
            }
        }
        return result
    }
}
