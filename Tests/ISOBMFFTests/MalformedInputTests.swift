import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import ISOBMFF
@testable import Inspection

/// Files changed at random: each is read or is an error, and nothing traps or takes memory without bound.
@Suite struct MalformedInputTests {
    private static let file = file(
        InitializationSection(
            configuration: .avc(Fixture.avc),
            timescale: 90_000,
            encryption: Fixture.videoEncryption,
            language: "pt-BR"
        ),
        .constantIV
    )

    private static func file(_ section: InitializationSection, _ encryption: MovieFragment.Encryption) -> [UInt8] {
        var bytes = section.encode()
        for number in 1...2 as ClosedRange<UInt32> {
            bytes.writeImmutableBuffer(
                MovieFragment(
                    sequenceNumber: number,
                    baseMediaDecodeTime: 1 << 40,
                    samples: (0..<4).map { index in
                        Fixture.sample(
                            [UInt8](repeating: 7, count: 9 + index),
                            duration: UInt32(3600 + index),
                            offset: Int32(index) - 1,
                            isSync: index == 0,
                            subsamples: Array(
                                repeating: Subsample(clearBytes: 3, protectedBytes: 1),
                                count: 1 + index
                            )
                        )
                    },
                    encryption: encryption,
                    startsSegment: true
                ).encode().bytes
            )
        }
        return Array(bytes.readableBytesView)
    }

    /// Values that find the edges of size and count arithmetic.
    private static let edges: [UInt32] = [0, 1, 2, 7, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF8, 0xFFFF_FFFF]

    private func mutate(_ file: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = file
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let index = Int.random(in: 0..<max(1, bytes.count - 4), using: &generator)
            guard index + 4 <= bytes.count else { break }
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2:
                let value = Self.edges.randomElement(using: &generator) ?? 0
                for byte in 0..<4 { bytes[index + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte)) }
            case 3: bytes.removeSubrange(index..<index + Int.random(in: 1...4, using: &generator))
            default: bytes.removeLast(Int.random(in: 0...bytes.count / 2, using: &generator))
            }
        }
        return bytes
    }

    @Test func nothingTraps() throws {
        let initialization = try ParsedInitialization(ByteBuffer(bytes: Self.file))
        var generator = SeededGenerator(seed: 20_261_121)
        var (read, refused) = (0, 0)
        for round in 0..<4000 {
            let bytes = ByteBuffer(bytes: mutate(Self.file, using: &generator))
            if round % 8 == 0 { _ = BoxDump(bytes).description }
            do {
                _ = try ParsedInitialization(bytes).track.sampleEntry.audioSpecificConfig
                let fragments = try ParsedFragment.fragments(in: bytes, initialization: initialization)
                #expect(fragments.reduce(0) { $0 + $1.samples.count } <= bytes.readableBytes)
                read += 1
            } catch {
                refused += 1
            }
        }
        // Both outcomes are many, so the mutations reach beyond the first header.
        #expect(read > 200)
        #expect(refused > 200)
    }

    @Test(arguments: Fixture.configurations)
    func nothingTrapsWithAnyCodec(configuration: CodecConfiguration) throws {
        let section = InitializationSection(
            configuration: configuration,
            timescale: 90_000,
            encryption: Fixture.counterEncryption
        )
        let file = Self.file(section, .vectors(Array(repeating: Bytes16(high: .max, low: .max), count: 4)))
        let initialization = try ParsedInitialization(ByteBuffer(bytes: file))
        var generator = SeededGenerator(seed: 20_261_122)
        var dumps: Set<String> = []
        for _ in 0..<400 {
            let bytes = ByteBuffer(bytes: mutate(file, using: &generator))
            dumps.insert(BoxDump(bytes, perSampleIVSize: 16).description)
            _ = try? ParsedInitialization(bytes).track.sampleEntry.audioSpecificConfig
            _ = try? ParsedFragment.fragments(in: bytes, initialization: initialization)
        }
        #expect(dumps.count > 100)
    }

    @Test func everyTruncationIsAnErrorOrWholeBoxes() throws {
        let whole = try ParsedFragment.fragments(in: ByteBuffer(bytes: Self.file)).count
        for count in 0..<Self.file.count {
            let bytes = ByteBuffer(bytes: Self.file.prefix(count))
            let found = (try? ParsedFragment.fragments(in: bytes))?.count ?? 0
            #expect(found < whole)
        }
    }
}
