import Foundation
import MPEGTS
import MediaCore
import TestSupport
import Testing

@testable import SCTE35

/// Sections that the standard and others have written.
@Suite struct SpliceInfoSectionTests {
    /// The messages of ANSI/SCTE 35 § 14, and what they say.
    static let published: [(name: String, base64: String, section: SpliceInfoSection)] = [
        (
            "placement opportunity start",
            "/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==",
            SpliceInfoSection(
                .timeSignal(0x0_72BD_0050),
                [
                    .segmentation(
                        segmentation(0x4800_008E, .providerPlacementOpportunityStart, 0x2CA0_A18A, 27_630_000, 2)
                    )
                ]
            )
        ),
        (
            "out of the network's programme",
            "/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo=",
            SpliceInfoSection(
                .insert(
                    SpliceInsert(
                        eventID: 0x4800_008F,
                        details: SpliceInsert.Details(
                            isOut: true,
                            place: .program(0x0_7369_C02E),
                            duration: BreakDuration(ticks: 0x0_0052_CCF5, returnsByItself: true)
                        )
                    )
                ),
                [.avail(providerID: 0x135)]
            )
        ),
        (
            "placement opportunity end",
            "/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g=",
            SpliceInfoSection(
                .timeSignal(0x0_7462_90A0),
                [.segmentation(segmentation(0x4800_008E, .providerPlacementOpportunityEnd, 0x2CA0_A18A, nil, 2))]
            )
        ),
        (
            "program start and end",
            "/DBIAAAAAAAA///wBQb+ek2ItgAyAhdDVUVJSAAAGH+fCAgAAAAALMvDRBEAAAIXQ1VFSUgAABl/nwgIAAAAACyk26AQAACZcuND",
            SpliceInfoSection(
                .timeSignal(0x0_7A4D_88B6),
                [
                    .segmentation(segmentation(0x4800_0018, SegmentationType(rawValue: 0x11), 0x2CCB_C344)),
                    .segmentation(segmentation(0x4800_0019, .programStart, 0x2CA4_DBA0)),
                ]
            )
        ),
        (
            "program overlap start",
            "/DAvAAAAAAAA///wBQb+rr//ZAAZAhdDVUVJSAAACH+fCAgAAAAALKVs9RcAAJUdsKg=",
            SpliceInfoSection(
                .timeSignal(0x0_AEBF_FF64),
                [.segmentation(segmentation(0x4800_0008, SegmentationType(rawValue: 0x17), 0x2CA5_6CF5))]
            )
        ),
    ]

    private static func segmentation(
        _ eventID: UInt32,
        _ type: SegmentationType,
        _ airing: UInt32,
        _ duration: UInt64? = nil,
        _ number: UInt8 = 0
    ) -> SegmentationDescriptor {
        var details = SegmentationDescriptor.Details(type: type, duration: duration)
        details.upid = SegmentationUPID(
            type: 0x08,
            bytes: [0, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: airing >> (24 - 8 * UInt32($0))) }
        )
        details.segment = SegmentationDescriptor.Position(number: number, expected: 0)
        details.restrictions =
            duration == nil && type != .providerPlacementOpportunityStart
            ? SegmentationDescriptor.Restrictions(
                allowsWebDelivery: true,
                hasNoRegionalBlackout: true,
                allowsArchive: true,
                devices: 3
            )
            : SegmentationDescriptor.Restrictions(
                allowsWebDelivery: false,
                hasNoRegionalBlackout: true,
                allowsArchive: true,
                devices: 3
            )
        return SegmentationDescriptor(eventID: eventID, details: details)
    }

    @Test(arguments: published.indices) func publishedMessagesAreReadAndWritten(_ index: Int) throws {
        let message = Self.published[index]
        let bytes = try #require(Data(base64Encoded: message.base64))
        let section = try SpliceInfoSection(Array(bytes).span.bytes)
        #expect(section == message.section, "\(message.name)")
        let written = try section.bytes()
        #expect(written.hex == bytes.hex, "\(message.name)")
    }

    @Test(arguments: 0..<500 as Range<UInt64>) func whatIsWrittenIsRead(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let section = SpliceInfoSection.random(&generator)
        let bytes = try section.bytes()
        #expect(try SpliceInfoSection((bytes + [0xFF, 0xFF]).span.bytes) == section)
        // A command without a length has the length that it takes.
        if case .clear(let command, _) = section.content, ![0x33, 0xFF].contains(command.type) {
            #expect(
                try SpliceInfoSection(
                    Self.rechecked(bytes) {
                        $0[11] |= 0x0F; $0[12] = 0xFF
                    }.span.bytes
                ) == section
            )
        }
    }

    /// Nothing that a stranger sends ends the process, and nothing damaged is believed.
    @Test(arguments: 0..<200 as Range<UInt64>) func damageIsAnError(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 1000 + seed)
        let bytes = try SpliceInfoSection.random(&generator).bytes()
        for count in bytes.indices {
            #expect(throws: SpliceError.self) { try SpliceInfoSection(Array(bytes[..<count]).span.bytes) }
        }
        for _ in 0..<50 {
            let (place, bit) = (
                Int.random(in: 3..<bytes.count, using: &generator), UInt8.random(in: 0..<8, using: &generator)
            )
            var damaged = bytes
            damaged[place] ^= 1 << bit
            #expect(throws: SpliceError.checksum) { try SpliceInfoSection(damaged.span.bytes) }
            // Forged with a right checksum it is read, or refused.
            let forged = Self.rechecked(damaged) { _ in }
            if let section = try? SpliceInfoSection(forged.span.bytes) { _ = try? section.bytes() }
        }
    }

    static let refused: [(hex: String, error: SpliceError)] = [
        ("", .truncated), ("fc30", .truncated), ("fc3011", .truncated), ("42300000", .notASpliceInfoSection),
        ("fc3000", .length("section_length")),
    ]

    @Test(arguments: refused) func whatIsNoSectionIsAnError(hex: String, error: SpliceError) throws {
        let bytes = stride(from: 0, to: hex.count, by: 2).map { offset in
            UInt8(hex.dropFirst(offset).prefix(2), radix: 16) ?? 0
        }
        #expect(throws: error) { try SpliceInfoSection(bytes.span.bytes) }
    }

    @Test func whatIsNotOfItsVersionOrLengthIsSaid() throws {
        let bytes = try SpliceInfoSection(.timeSignal(nil), [.avail(providerID: 1)]).bytes()
        let changes: [(SpliceError, (inout [UInt8]) -> Void)] = [
            (.version(1), { $0[3] = 1 }),
            (.length("splice_command_length"), { $0[12] = 200 }),
            (.length("descriptor_loop_length"), { $0[16] = 200 }),
            (.length("descriptor_length"), { $0[18] = 200 }),
            (
                .length("descriptor_length"),
                {
                    $0[18] = 3; $0[16] = 5
                }
            ),
        ]
        for (error, change) in changes {
            #expect(throws: error) { try SpliceInfoSection(Self.rechecked(bytes, change).span.bytes) }
        }
    }

    /// An encrypted section is for holders of the control words; here it is bytes that continue as they came.
    @Test func encryptedSectionsAreKept() throws {
        var section = SpliceInfoSection(
            content: .encrypted(algorithm: 1, commandLength: 5, bytes: (0..<32).map { UInt8($0) })
        )
        section.controlWord = 7
        section.adjustment = 1 << 32
        let bytes = try section.bytes()
        #expect(bytes[4] == 0x83)
        #expect(try SpliceInfoSection(bytes.span.bytes) == section)
    }

    @Test func moreThanASectionHoldsIsAnError() {
        let long = SpliceDescriptor.other(tag: 0xF0, identifier: 1, bytes: Array(repeating: 0, count: 252))
        #expect(throws: SpliceError.length("descriptor_length")) { try SpliceInfoSection(.null, [long]).bytes() }
        let whole = SpliceDescriptor.other(tag: 0xF0, identifier: 1, bytes: Array(repeating: 0, count: 251))
        let many = Array(repeating: whole, count: 16)
        #expect(throws: SpliceError.length("section_length")) { try SpliceInfoSection(.null, many).bytes() }
        let tones = SpliceDescriptor.tones(preroll: 0, characters: Array(repeating: 0x31, count: 8))
        #expect(throws: SpliceError.length("dtmf_count")) { try SpliceInfoSection(.null, [tones]).bytes() }
    }

    @Test func timesAreOnTheFeedsClock() {
        let section = SpliceInfoSection(.null, adjustment: 1 << 33 - 90_000)
        #expect(section.timestamp(of: 180_000) == 90_000)
        #expect(section.timestamp(of: 0) == 1 << 33 - 90_000)
    }

    @Test func endsKnowWhatTheyEnd() {
        #expect(SegmentationType(rawValue: 0x35).start == .providerPlacementOpportunityStart)
        #expect(SegmentationType(rawValue: 0x12).start == .programStart)
        #expect(SegmentationType(rawValue: 0x34).start == nil)
        #expect(SegmentationType(rawValue: 0x34).isStart)
        #expect(!SegmentationType(rawValue: 0x01).isStart)
        #expect(SegmentationType(rawValue: 0x01).start == nil)
        #expect("\(SegmentationType(rawValue: 0x31))" == "provider advertisement end")
        #expect("\(SegmentationType(rawValue: 0x01))" == "content identification")
        #expect("\(SegmentationType(rawValue: 0x99))" == "type 0x99")
    }

    /// Changed, with the checksum that is right then.
    private static func rechecked(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var section = Array(bytes.dropLast(4))
        change(&section)
        let checksum = SectionChecksum.value(section)
        return section + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32($0))) }
    }
}
