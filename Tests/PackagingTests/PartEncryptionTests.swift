import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
import Playlists
import Presentation
import Testing

@testable import Inspection
@testable import Packaging
@testable import Segmenting

/// Parts whose samples are encrypted, judged by a reader that shares nothing with the writer.
@Suite struct PartEncryptionTests {
    /// The samples of one part, decrypted with its segment's initialization section and the key alone.
    private static func decrypted(
        _ part: ByteBuffer,
        _ section: PublishedSegment.InitializationSection,
        _ key: PeriodKey
    ) throws -> [ByteBuffer] {
        let initialization = try ParsedInitialization(section.bytes)
        let protection = try #require(initialization.track.sampleEntry.encryption)
        let samples = try ParsedFragment.fragments(in: part, initialization: initialization).flatMap(\.samples)
        var bytes = part
        var pattern = try SampleEncryptor(
            key: key.contentKey,
            constantIV: key.constantIV,
            pattern: protection.pattern,
            direction: .decrypting
        )
        var counter = try CounterModeSampleEncryptor(key: key.contentKey)
        for sample in samples {
            let (index, subsamples) = (bytes.readerIndex + sample.range.lowerBound, sample.subsamples)
            if initialization.track.sampleEntry.scheme == "cbcs" {
                try pattern.encrypt(&bytes, at: index, length: sample.size, subsamples: subsamples)
            } else {
                let vector = sample.initializationVector
                let iv = try #require(Bytes16(vector + [UInt8](repeating: 0, count: 16 - vector.count)))
                try counter.encrypt(&bytes, at: index, length: sample.size, subsamples: subsamples, iv: iv)
            }
        }
        return samples.compactMap { bytes.getSlice(at: bytes.readerIndex + $0.range.lowerBound, length: $0.size) }
    }

    @Test(arguments: [SampleMethod.pattern, .counter], [SlotInParts.video, SlotInParts.audio])
    func eachPartIsDecryptedAlone(method: SampleMethod, configuration: CodecConfiguration) throws {
        let slot = SlotInParts(3, configuration)
        let schedule = try SampleMethod.schedule()
        let keyClass = try #require(KeyClasses().ofAll(configuration.kind))
        let key = try schedule.keys(for: schedule.periods.period(of: slot.cut.number), keyClass)
        var packager = try method.packager(configuration.kind)
        let parts = try slot.parts.map { try packager.write($0) }
        let section = try #require(parts[0].opening?.initialization)
        for (part, decision) in zip(parts, slot.parts) {
            let bytes = try part.bytes
            let clear = decision.cut.samples.map(\.payload)
            #expect(try Self.decrypted(bytes, section, key) == clear)
            let wrong = try SampleMethod.schedule(secret: 2).keys(for: CryptoPeriod(0), keyClass)
            #expect(try Self.decrypted(bytes, section, wrong) != clear, "it is encrypted")
        }
    }

    /// Parts with the same samples, their slot as a whole, and the same slot of another rendition share a key.
    @Test func noTwoBlocksHaveOneCounter() throws {
        let encryption = try SampleMethod.counter.encryption()
        var counters: [Bytes16] = []
        for id in ["video-1080p", "video-720p"] as [RenditionID] {
            var packager = KeyedPackager(SlotInParts.form(.video), id: id, encryption: encryption)
            for number in 0..<3 as Range<Int64> {
                let slot = SlotInParts(number, isUniform: true)
                var whole = slot.cut
                whole.partCount = 0
                let segment = try packager.write(SegmentContents(whole))
                let initialization = try ParsedInitialization(#require(segment.initialization).bytes)
                let pieces = [try #require(segment.media)] + (try slot.parts.map { try packager.write($0).bytes })
                for sample in try pieces.flatMap({
                    try ParsedFragment.fragments(in: $0, initialization: initialization).flatMap(\.samples)
                }) {
                    let first = try #require(Bytes16(sample.initializationVector))
                    let bytes = sample.subsamples.reduce(UInt64(0)) { $0 + UInt64($1.protectedBytes) }
                    counters += (0..<(bytes + 15) / 16).map { Bytes16(high: first.high, low: first.low + $0) }
                }
            }
        }
        #expect(counters.count > 2 * 3 * 24 * 40)
        #expect(Set(counters).count == counters.count)
    }

    @Test func whatIsEncryptedAsAWholeHasNoParts() throws {
        let schedule = try SampleMethod.schedule()
        var packager = KeyedPackager(SlotInParts.form(.video), id: "rendition", encryption: .aes128(schedule))
        #expect(throws: SegmentMuxerError.notCarried) { try packager.write(SlotInParts(0).parts[0]) }
    }

    @Test func aPartWithoutItsKeyIsNotWritten() throws {
        let encryption = try SampleMethod.pattern.encryption()
        var packager = RenditionPackager(
            SlotInParts.form(.video),
            id: "rendition",
            encryption: encryption,
            keys: KeyStore()
        )
        #expect(throws: MissingKey.self) { try packager.write(SlotInParts(0).parts[0]) }
    }
}
