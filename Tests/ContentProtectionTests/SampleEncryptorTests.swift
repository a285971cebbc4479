import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import ContentProtection

@Suite struct SampleEncryptorTests {
    private static let key = PublishedCBC.key
    private static let iv = PublishedCBC.iv
    private static let plaintext = PublishedCBC.plaintext
    private static let ciphertext = PublishedCBC.ciphertext

    private func encrypt(
        _ sample: [UInt8],
        _ pattern: TrackEncryption.Pattern,
        _ subsamples: [Subsample] = []
    ) throws -> [UInt8] {
        var encryptor = try makeEncryptor(pattern)
        var sample = Sample(
            decodeTime: .zero,
            presentationTime: .zero,
            isSync: true,
            payload: ByteBuffer(bytes: sample),
            subsamples: subsamples
        )
        try encryptor.encrypt(&sample)
        return Array(sample.payload.readableBytesView)
    }

    private func makeEncryptor(_ pattern: TrackEncryption.Pattern) throws -> SampleEncryptor {
        try SampleEncryptor(
            key: ContentKey(#require(Bytes16(Self.key))),
            constantIV: #require(Bytes16(Self.iv)),
            pattern: pattern
        )
    }

    @Test func referenceReproducesThePublishedVector() {
        let reference = ReferenceSampleEncryptor(
            aes: ReferenceAES(key: Self.key),
            iv: Self.iv,
            cryptBlocks: 0,
            skipBlocks: 0
        )
        #expect(reference.encrypt(Self.plaintext, protected: [0..<64]) == Self.ciphertext)
    }

    @Test func wholeSampleEncryptionIsPlainCBC() throws {
        #expect(try encrypt(Self.plaintext, .wholeSample) == Self.ciphertext)
    }

    @Test(arguments: [0, 1, 15])
    func tailOfAnAudioSampleStaysClear(count: Int) throws {
        let tail = [UInt8](repeating: 0xEE, count: count)
        #expect(try encrypt(Self.plaintext + tail, .wholeSample) == Self.ciphertext + tail)
        #expect(try encrypt(tail, .wholeSample) == tail)
    }

    @Test func everySampleStartsFromTheConstantIV() throws {
        var encryptor = try makeEncryptor(.wholeSample)
        for _ in 0..<3 {
            var buffer = ByteBuffer(bytes: Self.plaintext)
            try encryptor.encrypt(&buffer, at: 0, length: 64, subsamples: [])
            #expect(Array(buffer.readableBytesView) == Self.ciphertext)
        }
    }

    @Test func chainRunsOverTheNineSkippedBlocks() throws {
        let skipped = [UInt8](repeating: 0xEE, count: 144)
        let blocks = { (bytes: [UInt8]) in stride(from: 0, to: 64, by: 16).map { bytes[$0..<($0 + 16)] } }
        let sample = Array(blocks(Self.plaintext).joined(separator: skipped))
        let expected = Array(blocks(Self.ciphertext).joined(separator: skipped))
        #expect(try encrypt(sample, .video) == expected)
    }

    @Test func patternAndIVRestartAtEverySubsample() throws {
        let block = Array(Self.plaintext.prefix(16))
        let encrypted = Array(Self.ciphertext.prefix(16))
        let sample = [1, 2, 3] + block + [4] + block + block
        let subsamples = [
            Subsample(clearBytes: 3, protectedBytes: 16),
            Subsample(clearBytes: 1, protectedBytes: 32),
        ]
        // The second block of the second range falls on a skipped position.
        #expect(try encrypt(sample, .video, subsamples) == [1, 2, 3] + encrypted + [4] + encrypted + block)
    }

    /// SAMPLE-AES in transport streams leaves such a block clear; `cbcs` does not.
    @Test func exactFinalBlockOnACryptPositionIsEncrypted() throws {
        let clear = [UInt8](repeating: 0xEE, count: 144)
        let sample = Self.plaintext.prefix(16) + clear + Self.plaintext[16..<32]
        let expected = Self.ciphertext.prefix(16) + clear + Self.ciphertext[16..<32]
        let whole = [Subsample(clearBytes: 0, protectedBytes: 176)]
        #expect(try encrypt(Array(sample), .video, whole) == Array(expected))
    }

    @Test func fifteenBytesOnACryptPositionStayClear() throws {
        let clear = [UInt8](repeating: 0xEE, count: 144 + 15)
        let sample = Self.plaintext.prefix(16) + clear
        #expect(try encrypt(Array(sample), .video) == Array(Self.ciphertext.prefix(16) + clear))
    }

    @Test func samplesOfEveryShapeMatchTheReference() throws {
        var random = SeededGenerator(seed: 1)
        for pattern in [(1, 9), (0, 0), (1, 0), (5, 5), (3, 7), (0, 4)] {
            let key = random.bytes(16)
            let iv = random.bytes(16)
            let reference = ReferenceSampleEncryptor(
                aes: ReferenceAES(key: key),
                iv: iv,
                cryptBlocks: pattern.0,
                skipBlocks: pattern.1
            )
            var encryptor = try SampleEncryptor(
                key: ContentKey(#require(Bytes16(key))),
                constantIV: #require(Bytes16(iv)),
                pattern: .init(cryptBlocks: UInt8(pattern.0), skipBlocks: UInt8(pattern.1))
            )
            for _ in 0..<20 {
                var subsamples: [Subsample] = []
                var ranges: [Range<Int>] = []
                var end = 0
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let clear = Int.random(in: 0...40, using: &random)
                    // Lengths around whole blocks and whole pattern periods are the ones that can go wrong.
                    let blocks = Int.random(in: 0...45, using: &random)
                    let protected = max(0, blocks * 16 + Int.random(in: -1...1, using: &random))
                    subsamples.append(.init(clearBytes: UInt16(clear), protectedBytes: UInt32(protected)))
                    ranges.append((end + clear)..<(end + clear + protected))
                    end += clear + protected
                }
                let sample = random.bytes(end)
                let margin = random.bytes(Int.random(in: 0...7, using: &random))
                var buffer = ByteBuffer(bytes: margin + sample + margin)
                try encryptor.encrypt(&buffer, at: margin.count, length: end, subsamples: subsamples)
                let expected = margin + reference.encrypt(sample, protected: ranges) + margin
                #expect(Array(buffer.readableBytesView) == expected)
            }
        }
    }

    @Test func otherOwnersOfTheStorageKeepTheClearBytes() throws {
        let original = ByteBuffer(bytes: Self.plaintext)
        var copy = original
        var encryptor = try makeEncryptor(.wholeSample)
        try encryptor.encrypt(&copy, at: 0, length: 64, subsamples: [])
        #expect(Array(original.readableBytesView) == Self.plaintext)
        #expect(Array(copy.readableBytesView) == Self.ciphertext)
    }

    @Test(arguments: [63, 65])
    func subsamplesOfAnotherLengthChangeNothing(count: UInt32) throws {
        let subsamples = [Subsample(clearBytes: 0, protectedBytes: count)]
        var encryptor = try makeEncryptor(.video)
        var buffer = ByteBuffer(bytes: Self.plaintext)
        var error: SampleEncryptionError?
        do {
            try encryptor.encrypt(&buffer, at: 0, length: 64, subsamples: subsamples)
        } catch let caught {
            error = caught
        }
        #expect(error == .subsamplesMismatch(covered: Int(count), length: 64))
        #expect(Array(buffer.readableBytesView) == Self.plaintext)
    }

    @Test(arguments: [(-1, 2), (1, 64), (0, -1), (65, 0), (8, .max)])
    func sampleOutsideTheBufferChangesNothing(index: Int, length: Int) throws {
        var encryptor = try makeEncryptor(.wholeSample)
        var buffer = ByteBuffer(bytes: Self.plaintext)
        var error: SampleEncryptionError?
        do {
            try encryptor.encrypt(&buffer, at: index, length: length, subsamples: [])
        } catch let caught {
            error = caught
        }
        #expect(error == .outsideBuffer(index: index, length: length))
        #expect(Array(buffer.readableBytesView) == Self.plaintext)
    }
}
