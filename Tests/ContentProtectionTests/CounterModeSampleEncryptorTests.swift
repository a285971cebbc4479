import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import ContentProtection

@Suite struct CounterModeSampleEncryptorTests {
    private static let key = PublishedCBC.key

    private func encrypt(_ bytes: [UInt8], iv: Bytes16, _ subsamples: [Subsample] = []) throws -> [UInt8] {
        var encryptor = try CounterModeSampleEncryptor(key: ContentKey(#require(Bytes16(Self.key))))
        var sample = Sample(
            decodeTime: .zero,
            presentationTime: .zero,
            isSync: true,
            payload: ByteBuffer(bytes: bytes),
            subsamples: subsamples
        )
        try encryptor.encrypt(&sample, iv: iv)
        return Array(sample.payload.readableBytesView)
    }

    @Test func keyOfAnotherLengthIsAnError() throws {
        let long = try #require(ContentKey(bytes: Array(0..<32)))
        #expect(throws: OpenSSLError.self) { _ = try CounterModeSampleEncryptor(key: long) }
        #expect(throws: OpenSSLError.self) { _ = try SegmentEncryptor(key: long) }
    }

    /// Encrypts a message by a block cipher of successive counters (NIST SP 800-38A § 6.5).
    private func reference(_ message: [UInt8], counter: [UInt8], key: [UInt8] = key) -> [UInt8] {
        let aes = ReferenceAES(key: key)
        var counter = counter
        var result: [UInt8] = []
        while result.count < message.count {
            result += zip(message[result.count...], aes.encrypt(counter)).map { $0 ^ $1 }
            for index in counter.indices.reversed() {
                counter[index] &+= 1
                if counter[index] != 0 { break }
            }
        }
        return result
    }

    /// NIST SP 800-38A § F.5.1, CTR-AES128.Encrypt.
    @Test func referenceReproducesThePublishedVector() {
        let expected = hex(
            """
            874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff
            5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee
            """
        )
        let counter = hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
        #expect(reference(PublishedCBC.plaintext, counter: counter) == expected)
    }

    /// Made by `openssl enc -aes-128-ctr -iv 0123456789abcdef0000000000000000`.
    @Test func wholeSamplesAreEncryptedToTheirLastByte() throws {
        let expected = hex("1c6278f86be2f756ef8cdf33de1fe7ca51b538071fb62e257741d19a6b73067f64c56dd99b4e9445")
        #expect(try encrypt(Array(0..<40), iv: Bytes16(high: 0x0123_4567_89AB_CDEF, low: 0)) == expected)
        #expect(
            try encrypt(Array(0..<17), iv: Bytes16(high: 0x0123_4567_89AB_CDEF, low: 0)) == Array(expected.prefix(17))
        )
        #expect(try encrypt([], iv: Bytes16(high: 0, low: 0)).isEmpty)
    }

    @Test func counterRunsOnOverTheProtectedBytesOfAllSubsamples() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            var subsamples: [Subsample] = []
            var (sample, expected): ([UInt8], [UInt8]) = ([], [])
            let iv = Bytes16(
                high: .random(in: 0 ... .max, using: &random),
                low: .random(in: 0 ... .max >> 8, using: &random)
            )
            // Of any size: whole blocks are what packagers choose, not what the cipher needs.
            let parts = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                let count = Int.random(in: 0...70, using: &random)
                return (random.bytes(Int.random(in: 0...20, using: &random)), random.bytes(count))
            }
            let message = reference(Array(parts.map(\.1).joined()), counter: iv.bytes)
            var taken = 0
            for (clear, protected) in parts {
                subsamples.append(
                    Subsample(clearBytes: UInt16(clear.count), protectedBytes: UInt32(protected.count))
                )
                sample += clear + protected
                expected += clear + message[taken..<(taken + protected.count)]
                taken += protected.count
            }
            #expect(try encrypt(sample, iv: iv, subsamples) == expected)
        }
    }

    @Test func everySampleStartsItsOwnCounter() throws {
        var encryptor = try CounterModeSampleEncryptor(key: ContentKey(#require(Bytes16(Self.key))))
        for iv in [Bytes16(high: 7, low: 0), Bytes16(high: 7, low: 2), Bytes16(high: 7, low: 0)] {
            var buffer = ByteBuffer(bytes: PublishedCBC.plaintext.prefix(21))
            try encryptor.encrypt(&buffer, at: 0, length: 21, subsamples: [], iv: iv)
            let expected = reference(Array(PublishedCBC.plaintext.prefix(21)), counter: iv.bytes)
            #expect(Array(buffer.readableBytesView) == expected)
        }
    }

    @Test func subsamplesOfAnotherLengthChangeNothing() throws {
        var encryptor = try CounterModeSampleEncryptor(key: ContentKey(#require(Bytes16(Self.key))))
        var buffer = ByteBuffer(bytes: PublishedCBC.plaintext)
        let subsamples = [Subsample(clearBytes: 1, protectedBytes: 64)]
        var error: SampleEncryptionError?
        do {
            try encryptor.encrypt(&buffer, at: 0, length: 64, subsamples: subsamples, iv: Bytes16(high: 1, low: 0))
        } catch let caught {
            error = caught
        }
        #expect(error == .subsamplesMismatch(covered: 65, length: 64))
        #expect(Array(buffer.readableBytesView) == PublishedCBC.plaintext)
    }

    @Test(
        arguments: [
            ([(10, 0)], [(10, 0)]),
            ([(10, 32)], [(10, 32)]),
            ([(10, 33)], [(11, 32)]),
            ([(10, 47), (5, 16)], [(25, 32), (5, 16)]),
            // Less than a block: clear, and one run with what comes next.
            ([(10, 15), (5, 16)], [(30, 16)]),
            ([(10, 15)], [(25, 0)]),
            ([(10, 16), (5, 0)], [(10, 16), (5, 0)]),
            // Sixteen bits hold no more.
            ([(65_535, 17)], [(65_535, 0), (1, 16)]),
            ([(65_535, 0), (65_535, 31)], [(65_535, 0), (65_535, 0), (15, 16)]),
            ([(0, 4_294_967_295)], [(15, 4_294_967_280)]),
            ([], []),
        ] as [([(UInt16, UInt32)], [(UInt16, UInt32)])]
    )
    func oddBytesBecomeClearAtTheFrontOfAProtectedRange(
        before: [(UInt16, UInt32)],
        after: [(UInt16, UInt32)]
    ) {
        let subsamples = before.map { Subsample(clearBytes: $0.0, protectedBytes: $0.1) }
        let expected = after.map { Subsample(clearBytes: $0.0, protectedBytes: $0.1) }
        #expect(subsamples.protectingWholeBlocks == expected)
    }

    @Test func wholeBlocksCoverTheSampleAndEndWhereTheRangesEnded() {
        func ends(_ subsamples: [Subsample]) -> (total: Int, protectedRanges: [Range<Int>]) {
            var end = 0
            let ranges = subsamples.map { subsample in
                let start = end + Int(subsample.clearBytes)
                end = start + Int(subsample.protectedBytes)
                return start..<end
            }
            return (end, ranges.filter { !$0.isEmpty })
        }
        var random = SeededGenerator(seed: 6)
        for _ in 0..<500 {
            let subsamples = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                Subsample(
                    clearBytes: UInt16.random(in: 0 ... .max, using: &random),
                    protectedBytes: UInt32.random(in: 0...100, using: &random)
                )
            }
            let (before, after) = (ends(subsamples), ends(subsamples.protectingWholeBlocks))
            #expect(after.total == before.total)
            let expected = before.protectedRanges.compactMap { range in
                range.count < 16 ? nil : (range.lowerBound + range.count % 16)..<range.upperBound
            }
            #expect(after.protectedRanges == expected)
        }
    }
}
