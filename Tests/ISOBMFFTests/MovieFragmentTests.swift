import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import ISOBMFF
@testable import Inspection

@Suite struct MovieFragmentTests {
    @Test func clearFragmentIsFragmentBoxThenPayloads() {
        let fragment = MovieFragment(
            sequenceNumber: 7,
            baseMediaDecodeTime: 0x0000_00A0_0000_0001,
            samples: [
                Fixture.sample([0xA0, 0xA1, 0xA2]),
                Fixture.sample([0xB0], offset: 3600, isSync: false),
                Fixture.sample([0xC0, 0xC1], offset: -3600, isSync: false),
            ]
        )
        let (bytes, payloadOffset) = fragment.encode()
        #expect(
            bytes.hex
                == digits(
                    """
                    00000080 6d6f6f66
                    00000010 6d666864 00000000 00000007
                    00000068 74726166
                    0000001c 74666864 0002002a 00000001 00000001 00000e10 01010000
                    00000014 74666474 01000000 000000a0 00000001
                    00000030 7472756e 01000a05 00000003 00000088 02000000
                    00000003 00000000 00000001 00000e10 00000002 fffff1f0
                    0000000e 6d646174 a0a1a2 b0 c0c1
                    """
                )
        )
        #expect(payloadOffset == 0x88)
    }

    @Test func firstFragmentOfASegmentHasASegmentType() {
        var fragment = MovieFragment(
            sequenceNumber: 1,
            baseMediaDecodeTime: 0,
            samples: [Fixture.sample([1, 2])]
        )
        let (bytes, payloadOffset) = fragment.encode()
        fragment.startsSegment = true
        let (segment, segmentPayloadOffset) = fragment.encode()
        #expect(segment.hex == SegmentTypeBox.cmafSegment.hex + bytes.hex)
        #expect(segmentPayloadOffset == payloadOffset + 24)
    }

    /// After the segment's type, and before the fragment.
    @Test func eventMessagesComeFirst() throws {
        var fragment = MovieFragment(
            sequenceNumber: 1,
            baseMediaDecodeTime: 0,
            samples: [Fixture.sample([1, 2])],
            startsSegment: true
        )
        let (plain, plainOffset) = fragment.encode()
        fragment.messages = [
            EventMessage(
                scheme: "urn:a",
                presentationTime: 0x1_0000_0002,
                timescale: 90_000,
                id: 7,
                message: ByteBuffer(bytes: [0x49, 0x44, 0x33])
            )
        ]
        let (bytes, offset) = fragment.encode()
        let message = digits(
            "0000002a 656d7367 01000000 00015f90 0000000100000002 ffffffff 00000007 75726e3a6100 00 494433"
        )
        let segmentType = SegmentTypeBox.cmafSegment.hex
        #expect(bytes.hex == segmentType + message + plain.hex.dropFirst(segmentType.count))
        #expect(offset == plainOffset + 42)
        let dump = BoxDump(bytes).description
        #expect(dump.contains("scheme_id_uri=urn:a value= message_data=494433"), "\(dump)")
    }

    @Test func encryptedVideoFragmentPlacesItsAuxiliaryInformation() {
        let fragment = MovieFragment(
            sequenceNumber: 1,
            baseMediaDecodeTime: 0,
            samples: [
                Fixture.sample([1, 2], subsamples: [Subsample(clearBytes: 1, protectedBytes: 1)]),
                Fixture.sample([3, 4], subsamples: [Subsample(clearBytes: 2, protectedBytes: 0)]),
            ],
            encryption: .constantIV,
            startsSegment: true
        )
        #expect(
            BoxDump(fragment.encode().bytes).description == """
                styp size=24 major_brand=msdh minor_version=0 compatible_brands=msdh,cmfs
                moof size=173
                  mfhd size=16 version=0 flags=0 sequence_number=1
                  traf size=149
                    tfhd size=32 version=0 flags=2003a track_ID=1 sample_description_index=1 \
                default_sample_duration=3600 default_sample_size=2 default_sample_flags=02000000
                    tfdt size=20 version=1 flags=0 baseMediaDecodeTime=0
                    trun size=20 version=1 flags=1 sample_count=2 data_offset=181
                    saiz size=17 version=0 flags=0 default_sample_info_size=8 sample_count=2
                    saio size=20 version=0 flags=0 entry_count=1 offset=157
                    senc size=32 version=0 flags=2 sample_count=2
                      - clear=1 protected=1
                      - clear=2 protected=0
                mdat size=12

                """
        )
    }

    @Test func encryptedAudioFragmentHasAnEmptySampleEncryptionBox() {
        let fragment = MovieFragment(
            sequenceNumber: 4_294_967_295,
            baseMediaDecodeTime: 86_160_000_000_000,
            samples: [Fixture.sample([1, 2], duration: 1024), Fixture.sample([3], duration: 1024)],
            encryption: .constantIV
        )
        #expect(
            BoxDump(fragment.encode().bytes).description == """
                moof size=124
                  mfhd size=16 version=0 flags=0 sequence_number=4294967295
                  traf size=100
                    tfhd size=28 version=0 flags=2002a track_ID=1 sample_description_index=1 \
                default_sample_duration=1024 default_sample_flags=02000000
                    tfdt size=20 version=1 flags=0 baseMediaDecodeTime=86160000000000
                    trun size=28 version=1 flags=201 sample_count=2 data_offset=132
                      - size=2
                      - size=1
                    senc size=16 version=0 flags=0 sample_count=2
                mdat size=11

                """
        )
    }

    @Test func fragmentInCounterModeListsVectors() {
        let fragment = MovieFragment(
            sequenceNumber: 1,
            baseMediaDecodeTime: 0,
            samples: [
                Fixture.sample([1, 2], subsamples: [Subsample(clearBytes: 1, protectedBytes: 1)]),
                Fixture.sample([3, 4], subsamples: [Subsample(clearBytes: 2, protectedBytes: 0)]),
            ],
            encryption: .vectors([Bytes16(high: 1, low: 0x10), Bytes16(high: 1, low: 0x11)])
        )
        #expect(
            BoxDump(fragment.encode().bytes, perSampleIVSize: 16).description == """
                moof size=205
                  mfhd size=16 version=0 flags=0 sequence_number=1
                  traf size=181
                    tfhd size=32 version=0 flags=2003a track_ID=1 sample_description_index=1 \
                default_sample_duration=3600 default_sample_size=2 default_sample_flags=02000000
                    tfdt size=20 version=1 flags=0 baseMediaDecodeTime=0
                    trun size=20 version=1 flags=1 sample_count=2 data_offset=213
                    saiz size=17 version=0 flags=0 default_sample_info_size=24 sample_count=2
                    saio size=20 version=0 flags=0 entry_count=1 offset=157
                    senc size=64 version=0 flags=2 sample_count=2
                      - InitializationVector=00000000000000010000000000000010 clear=1 protected=1
                      - InitializationVector=00000000000000010000000000000011 clear=2 protected=0
                mdat size=12

                """
        )
    }

    @Test func fragmentsThatFollowEachOtherAreASegment() throws {
        var segment = ByteBuffer()
        for number in 0..<3 as Range<UInt32> {
            let fragment = MovieFragment(
                sequenceNumber: number,
                baseMediaDecodeTime: UInt64(number) * 7200,
                samples: [Fixture.sample([1, 2], isSync: number == 0), Fixture.sample([3], isSync: false)],
                startsSegment: number == 0
            )
            segment.writeImmutableBuffer(fragment.encode().bytes)
        }
        let fragments = try ParsedFragment.fragments(in: segment)
        #expect(fragments.map(\.sequenceNumber) == [0, 1, 2])
        #expect(fragments.map(\.baseMediaDecodeTime) == [0, 7200, 14_400])
        for fragment in fragments {
            #expect(
                fragment.samples.map { segment.getBytes(at: $0.range.lowerBound, length: $0.size) } == [[1, 2], [3]]
            )
        }
    }

    @Test func equalInputsGiveEqualBytes() {
        var generator = SeededGenerator(seed: 3)
        let fragment = RandomFragment(using: &generator).fragment
        #expect(fragment.encode().bytes == fragment.encode().bytes)
    }

    @Test func bufferThatNobodyElseHasIsWrittenOver() {
        var generator = SeededGenerator(seed: 3)
        let fragment = RandomFragment(using: &generator).fragment
        let bytes = fragment.encode().bytes
        let room = ByteBuffer(repeating: 0xFF, count: bytes.readableBytes + 100)
        let kept = room.getSlice(at: 0, length: 100)
        #expect(fragment.encode(into: room).bytes == bytes)
        #expect(kept == ByteBuffer(repeating: 0xFF, count: 100))
        let free = ByteBuffer(repeating: 0xFF, count: bytes.readableBytes + 100)
        let address = free.withUnsafeReadableBytes { $0.baseAddress }
        let again = fragment.encode(into: consume free).bytes
        #expect(again == bytes)
        #expect(again.withUnsafeReadableBytes { $0.baseAddress } == address)
    }

    @Test func bytesHaveOneOwnerSoThatPayloadsCanBeEncryptedInPlace() {
        let payload = ByteBuffer(bytes: [1, 2, 3])
        let sample = FragmentSample(duration: 1, isSync: true, payload: payload)
        let fragment = MovieFragment(sequenceNumber: 1, baseMediaDecodeTime: 0, samples: [sample])
        var (bytes, payloadOffset) = fragment.encode()
        let address = bytes.withUnsafeReadableBytes { $0.baseAddress }
        bytes.setInteger(UInt8(9), at: payloadOffset)
        #expect(bytes.withUnsafeReadableBytes { $0.baseAddress } == address)
        #expect(bytes.getBytes(at: payloadOffset, length: 3) == [9, 2, 3])
        #expect(payload == ByteBuffer(bytes: [1, 2, 3]))
    }

    @Test func readerFindsWhatWasWritten() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            let random = RandomFragment(using: &generator)
            let (bytes, payloadOffset) = random.fragment.encode()
            let parsed = try #require(
                try ParsedFragment.fragments(in: bytes, initialization: try random.initialization).first
            )
            #expect(parsed.sequenceNumber == random.fragment.sequenceNumber)
            #expect(parsed.baseMediaDecodeTime == random.fragment.baseMediaDecodeTime)
            #expect(
                parsed.samples.first?.range
                    == payloadOffset..<payloadOffset + random.samples[0].payload.readableBytes
            )
            #expect(parsed.samples.last?.range.upperBound == bytes.readableBytes)
            #expect(parsed.samples.count == random.samples.count)
            var decodeTime = random.fragment.baseMediaDecodeTime
            let usesSubsamples = random.fragment.encryption != nil && random.samples.contains { !$0.subsamples.isEmpty }
            let vectors: [Bytes16]? = if case .vectors(let all) = random.fragment.encryption { all } else { nil }
            for (index, (found, sample)) in zip(parsed.samples, random.samples).enumerated() {
                #expect(found.initializationVector == vectors?[index].bytes ?? [])
                #expect(found.decodeTime == decodeTime)
                #expect(found.duration == sample.duration)
                #expect(found.compositionOffset == Int64(sample.compositionOffset))
                #expect(found.isSync == sample.isSync)
                #expect(bytes.getSlice(at: found.range.lowerBound, length: found.size) == sample.payload)
                let whole = [Subsample(clearBytes: 0, protectedBytes: UInt32(sample.payload.readableBytes))]
                #expect(
                    found.subsamples == (usesSubsamples ? (sample.subsamples.isEmpty ? whole : sample.subsamples) : [])
                )
                decodeTime += UInt64(sample.duration)
            }
            #expect(parsed.endDecodeTime == decodeTime)
            expectAuxiliaryInformation(of: parsed, in: bytes, isThere: usesSubsamples || vectors != nil, usesSubsamples)
        }
    }

    /// Expects that `saiz` and `saio` point to what `senc` says.
    private func expectAuxiliaryInformation(
        of fragment: ParsedFragment,
        in bytes: ByteBuffer,
        isThere: Bool,
        _ usesSubsamples: Bool
    ) {
        #expect(fragment.auxiliaryInformation.count == (isThere ? fragment.samples.count : 0))
        for (range, sample) in zip(fragment.auxiliaryInformation, fragment.samples) {
            var expected = ByteBuffer(bytes: sample.initializationVector)
            if usesSubsamples { expected.writeInteger(UInt16(sample.subsamples.count)) }
            for subsample in sample.subsamples {
                expected.writeMultipleIntegers(subsample.clearBytes, subsample.protectedBytes)
            }
            #expect(bytes.getSlice(at: range.lowerBound, length: range.count) == expected)
        }
    }
}
