import MediaCore
import TestSupport
import Testing

@testable import Codecs

struct CaptionServicesTests {
    /// cc_valid and cc_type, and two bytes.
    typealias Triplet = (UInt8, UInt8, UInt8)

    /// An SEI NAL unit of H.264 with cc_data() of these triplets (ATSC A/53 Part 4 § 6.2.3.1).
    static func message(_ triplets: [Triplet], isProcessed: Bool = true) -> [UInt8] {
        var payload = [UInt8](hex: "b5 0031 47413934 03")
        payload += [(isProcessed ? 0xC0 : 0x80) | UInt8(triplets.count), 0xFF]
        for triplet in triplets { payload += [0xF8 | triplet.0, triplet.1, triplet.2] }
        payload.append(0xFF)
        return ([0x06, 4, UInt8(payload.count)] + payload + [0x80]).escaped
    }

    /// cc_valid with cc_type: field 1, field 2, data of a packet, its start.
    private static let (field1, field2, data, start): (UInt8, UInt8, UInt8, UInt8) = (4, 5, 6, 7)

    private func services(_ triplets: [Triplet], isProcessed: Bool = true) -> [String] {
        let message = Self.message(triplets, isProcessed: isProcessed)
        return CaptionServices(in: CaptionTriplet.triplets(in: message.span.bytes, headerSize: 1)).instreamIDs
    }

    @Test(
        arguments: [
            // Roll-up captions, pop-on captions and their end, with their parity.
            ([(field1, 0x94, 0x25)], ["CC1"]), ([(field1, 0x1C, 0x20)], ["CC2"]), ([(field1, 0x94, 0x2F)], ["CC1"]),
            ([(field2, 0x15, 0x20)], ["CC3"]), ([(field2, 0x9D, 0x29)], ["CC4"]), ([(field2, 0x94, 0x26)], ["CC3"]),
            ([(field1, 0x94, 0x20), (field1, 0x94, 0x20), (field2, 0x9D, 0xA7)], ["CC1", "CC4"]),
        ] as [([Triplet], [String])]
    )
    func line21ChannelsAreNamedByTheirCodes(triplets: [Triplet], services: [String]) {
        #expect(self.services(triplets) == services)
    }

    @Test(
        arguments: [
            [], [(field1, 0x80, 0x80), (field2, 0x80, 0x80)],
            // Characters, text mode, extended data, an erased display, wrong parity, invalid, and padding of packets.
            [(field1, 0xC8, 0xE5)], [(field1, 0x94, 0x2A)], [(field1, 0x94, 0xAB)], [(field2, 0x01, 0x83)],
            [(field1, 0x94, 0x2C)], [(field1, 0x14, 0x25)], [(0, 0x94, 0x25)], [(data, 0, 0)], [(2, 0, 0)],
        ] as [[Triplet]]
    )
    func whatIsNoCaption(triplets: [Triplet]) {
        #expect(services(triplets).isEmpty)
    }

    @Test(
        arguments: [
            // A packet of 4 bytes: service 1 with 2 bytes.
            ([(start, 0x02, 0x22), (data, 0x41, 0x42)], ["SERVICE1"]),
            // Services 1 and 6, then padding that looks like a header.
            (
                [(start, 0x44, 0x21), (data, 0x41, 0xC2), (data, 0x42, 0x43), (data, 0x00, 0x43)],
                ["SERVICE1", "SERVICE6"]
            ),
            // An extended service number, 40, and one of 7 bits that is too great.
            ([(start, 0x83, 0xE1), (data, 40, 0x41), (data, 0x41, 0x58)], ["SERVICE40", "SERVICE2"]),
            // A block of no bytes says nothing; 0 bytes are 128.
            ([(start, 0x00, 0x40), (data, 0x61, 0x41)], ["SERVICE3"]),
            // Data behind the end of a packet, and behind a packet that starts elsewhere.
            ([(start, 0x01, 0x21), (data, 0x41, 0x41)], ["SERVICE1"]),
            ([(data, 0x41, 0x42), (start, 0x01, 0xA1)], ["SERVICE5"]),
        ] as [([Triplet], [String])]
    )
    func servicesAreNamedByTheirBlocks(triplets: [Triplet], services: [String]) {
        #expect(Set(self.services(triplets)) == Set(services))
    }

    @Test func captionsThatAreNotToBeProcessedAreLeftOut() {
        #expect(services([(Self.field1, 0x94, 0x25)], isProcessed: false).isEmpty)
    }

    @Test(arguments: [
        "b50031 47413934 06 c1ff fc9425 ff", "b50031 44544731 03 c1ff fc9425 ff", "b5002f 03 c1ff fc9425 ff",
    ])
    func otherUserDataIsNoCaption(hex: String) {
        let payload = [UInt8](hex: hex)
        let message = [0x06, 4, UInt8(payload.count)] + payload + [0x80]
        #expect(CaptionServices(in: CaptionTriplet.triplets(in: message.span.bytes, headerSize: 1)).isEmpty)
    }

    @Test func unionsKeepTheirOrder() {
        var services = CaptionServices()
        #expect(services.isEmpty && services.instreamIDs.isEmpty)
        let triplets: [Triplet] = [(Self.start, 0x01, 0x41), (Self.field2, 0x15, 0x20), (Self.field1, 0x94, 0x25)]
        for triplet in triplets {
            services.formUnion(
                CaptionServices(in: CaptionTriplet.triplets(in: Self.message([triplet]).span.bytes, headerSize: 1))
            )
        }
        #expect(services.instreamIDs == ["CC1", "CC3", "SERVICE2"])
    }

    @Test func picturesOfEveryCodecCarryThem() throws {
        let message = Self.message([(Self.field1, 0x94, 0x25), (Self.start, 0x02, 0x22), (Self.data, 0x41, 0x42)])
        let vector = H264Vector.cabac
        var avc = try AVCAccessUnitReader(header: annexB(vector.sequenceParameterSet, vector.pictureParameterSet))
        let picture = annexB(message, vector.slices[0].nalUnit)
        #expect(try avc.read(picture).captions.services == ["CC1", "SERVICE1"])

        var hevc = try HEVCAccessUnitReader(header: [])
        let hevcPicture = annexB([0x4E, 0x01] + message.dropFirst(), HEVCVector.p)
        #expect(try hevc.read(hevcPicture).captions.services == ["CC1", "SERVICE1"])

        var av1 = try AV1TemporalUnitReader(header: SyntheticAV1.sequenceHeader())
        let data = "b50031 47413934 03 c3ff fc9425 ff0222 fe4142 ff"
        let temporalUnit = SyntheticAV1.metadata(4, data) + SyntheticAV1.keyFrame()
        #expect(try av1.read(temporalUnit.span.bytes).captions.services == ["CC1", "SERVICE1"])
        #expect(try av1.read(SyntheticAV1.keyFrame().span.bytes).captions.isEmpty)
    }

    @Test func damagedMessages() {
        var generator = SeededGenerator(seed: 21)
        let message = Self.message(
            [(Self.field1, 0x94, 0x25), (Self.field2, 0x15, 0x20), (Self.start, 0x43, 0xE1)]
                + (0..<10).map { _ in (Self.data, 0x41, 0x42) }
        )
        for _ in 0..<5000 {
            let services = CaptionServices(
                in: CaptionTriplet.triplets(in: message.mutated(using: &generator).span.bytes, headerSize: 1)
            )
            #expect(services.instreamIDs.count <= 67)
        }
    }

    /// This test puts captions into a stream, FFmpeg takes them out, and x264 writes them anew.
    @Test func x264WritesThemSo() async throws {
        let options = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-g", "4"]
        let stream = try await FFmpegTimecodes.encode(rate: "30000/1001", options, format: "h264")
        let message = Self.message([
            (Self.field1, 0x94, 0x25), (Self.field2, 0x9D, 0x20), (Self.start, 0x02, 0x62), (Self.data, 0x41, 0x42),
        ])
        let captioned = try nalUnits(of: stream).flatMap { nalUnit in
            [1, 5].contains(nalUnit[0] & 0x1F) ? annexB(message, nalUnit) : annexB(nalUnit)
        }
        let written = try await FFmpegTimecodes.encodeAgain(captioned, ["-a53cc", "1"] + options, format: "h264")
        var reader = try AVCAccessUnitReader(header: [])
        var rest = written[...]
        var pictures = 0
        while !rest.isEmpty {
            let unit = try reader.read(Array(rest))
            rest = rest.dropFirst(unit.packetBytes)
            pictures += 1
            #expect(unit.captions.services == ["CC1", "CC4", "SERVICE3"])
        }
        #expect(pictures == 12)
    }
}

extension [CaptionTriplet] {
    fileprivate var services: [String] { CaptionServices(in: self).instreamIDs }
}
