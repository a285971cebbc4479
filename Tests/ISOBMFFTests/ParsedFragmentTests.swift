import MediaCore
import NIOCore
import Testing

@testable import ISOBMFF
@testable import Inspection

@Suite struct ParsedFragmentTests {
    private static let mfhd = "00000010 6d666864 00000000 00000009"

    /// A `moof` of `mfhd` and one `traf` with the boxes given, and an `mdat` of ten bytes.
    private func fragment(_ trackFragment: String, mediaData: String = "00010203040506070809") -> ByteBuffer {
        let boxes = ByteBuffer(hex: trackFragment)
        var bytes = ByteBuffer(integer: UInt32(boxes.readableBytes + 32))
        bytes.writeBytes([UInt8]("moof".utf8))
        bytes.writeImmutableBuffer(ByteBuffer(hex: Self.mfhd))
        bytes.writeInteger(UInt32(boxes.readableBytes + 8))
        bytes.writeBytes([UInt8]("traf".utf8))
        bytes.writeImmutableBuffer(boxes)
        let payload = ByteBuffer(hex: mediaData)
        bytes.writeInteger(UInt32(payload.readableBytes + 8))
        bytes.writeBytes([UInt8]("mdat".utf8))
        bytes.writeImmutableBuffer(payload)
        return bytes
    }

    /// default-base-is-moof, no defaults.
    private static let tfhd = "00000010 74666864 00020000 00000001"
    /// Version 0, time 100.
    private static let tfdt = "00000010 74666474 00000000 00000064"

    @Test func runsFollowEachOtherAndOffsetsOfVersionZeroAreUnsigned() throws {
        let runs = """
            0000001c 7472756e 00000a01 00000001 0000007c 00000004 ffffffff
            00000018 7472756e 00000300 00000001 00000007 00000002
            """
        let parsed = try ParsedFragment.fragments(in: fragment(Self.tfhd + Self.tfdt + runs))
        #expect(parsed.count == 1)
        #expect(parsed[0].sequenceNumber == 9)
        #expect(parsed[0].samples.map(\.range) == [124..<128, 128..<130])
        #expect(parsed[0].samples.map(\.decodeTime) == [100, 100])
        #expect(parsed[0].samples.map(\.compositionOffset) == [4_294_967_295, 0])
        #expect(parsed[0].endDecodeTime == 107)
    }

    @Test func absoluteBaseDataOffsetIsObeyed() throws {
        let tfhd = "00000018 74666864 00000001 00000001 0000000000000006"
        let run = "00000018 7472756e 00000201 00000001 0000006a 00000001"
        let parsed = try ParsedFragment.fragments(in: fragment(tfhd + Self.tfdt + run))
        #expect(parsed[0].samples.map(\.range) == [112..<113])
    }

    @Test func defaultsOfTheInitializationSectionApply() throws {
        let section = InitializationSection(configuration: .aac(Fixture.aac), timescale: 48_000).encode()
        // The last twelve bytes are the defaults of `trex`.
        let patched = ByteBuffer(
            bytes: Array(section.readableBytesView.dropLast(12)) + [0, 0, 4, 0, 0, 0, 0, 3, 1, 1, 0, 0]
        )
        let run = "00000014 7472756e 00000001 00000002 0000005c"
        let parsed = try ParsedFragment.fragments(
            in: fragment(Self.tfhd + Self.tfdt + run),
            initialization: try ParsedInitialization(patched)
        )
        #expect(parsed[0].samples.map(\.duration) == [1024, 1024])
        #expect(parsed[0].samples.map(\.size) == [3, 3])
        #expect(parsed[0].samples.map(\.isSync) == [false, false])
    }

    @Test func initializationVectorsOfSamplesAreRead() throws {
        let section = InitializationSection(
            configuration: .aac(Fixture.aac),
            timescale: 48_000,
            encryption: Fixture.counterEncryption
        ).encode()
        let run = "00000018 7472756e 00000201 00000001 0000008c 00000004"
        let senc = "00000028 73656e63 00000002 00000001 1122334455667788 99aabbccddeeff00 0001 0003 00000001"
        let parsed = try ParsedFragment.fragments(
            in: fragment(Self.tfhd + Self.tfdt + run + senc),
            initialization: try ParsedInitialization(section)
        )
        #expect(parsed[0].samples[0].initializationVector.hex == "112233445566778899aabbccddeeff00")
        #expect(parsed[0].samples[0].subsamples == [Subsample(clearBytes: 3, protectedBytes: 1)])
    }

    @Test(
        arguments: [
            (
                "a sample count beyond the box", .tooManyEntries,
                "00000018 7472756e 00000201 7fffffff 00000060 00000001"
            ),
            (
                "a sample count beyond the file", .tooManyEntries,
                "00000014 7472756e 00000001 ffffffff 0000005c"
            ),
            (
                "many runs of many empty samples", .tooManyEntries,
                String(repeating: "00000014 7472756e 00000001 00000080 000000e8", count: 8)
            ),
            (
                "a payload beyond mdat", .misplacedData,
                "00000018 7472756e 00000201 00000001 00000060 0000000b"
            ),
            (
                "a payload before mdat", .misplacedData,
                "00000018 7472756e 00000201 00000001 0000005f 00000001"
            ),
            (
                "a payload before the file", .misplacedData,
                "00000018 7472756e 00000201 00000001 80000000 00000001"
            ),
            (
                "fewer senc entries than samples", .tooManyEntries,
                "00000014 7472756e 00000001 00000002 0000006c 00000010 73656e63 00000000 00000001"
            ),
            (
                "auxiliary information beyond the file", .misplacedData,
                """
                00000014 7472756e 00000001 00000001 00000081
                00000011 7361697a 00000000 ff 00000001 00000014 7361696f 00000000 00000001 00000070
                """
            ),
            (
                "auxiliary information of more samples than there are", .tooManyEntries,
                """
                00000014 7472756e 00000001 00000001 00000081
                00000011 7361697a 00000000 01 ffffffff 00000014 7361696f 00000000 00000001 00000010
                """
            ),
        ] as [(String, MalformedBoxError.Reason, String)]
    )
    func impossibleTablesAreErrors(what: String, reason: MalformedBoxError.Reason, boxes: String) {
        let error = #expect(throws: MalformedBoxError.self, "\(what)") {
            try ParsedFragment.fragments(in: fragment(Self.tfhd + Self.tfdt + boxes))
        }
        #expect(error?.reason == reason)
    }

    @Test func fragmentWithoutDecodeTimeIsAnError() {
        #expect(throws: MalformedBoxError(.missing("tfdt"), at: 24)) {
            try ParsedFragment.fragments(in: fragment(Self.tfhd))
        }
    }

    @Test func fragmentWithoutMediaDataIsAnError() {
        #expect(throws: MalformedBoxError(.missing("mdat"), at: 24)) {
            try ParsedFragment.fragments(in: ByteBuffer(hex: "00000018 6d6f6f66 \(Self.mfhd)"))
        }
    }
}
