import MediaCore
import TestSupport
import Testing

@testable import Codecs

struct HEVCDynamicRangeTests {
    private typealias Vector = HEVCVector
    private let mastering = (0..<24).map { UInt8($0) }
    private static let hdr10Plus: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04, 0x01, 0x40]

    private func reader() throws -> HEVCAccessUnitReader {
        try HEVCAccessUnitReader(header: annexB(Vector.vps, Vector.sps, Vector.pps))
    }

    @Test func messagesAreTakenWhereDecodingMayStart() throws {
        var reader = try reader()
        let messages = [Vector.message(137, mastering), Vector.message(144, [3, 232, 1, 144])]
        #expect(try reader.read(annexB(Vector.idr)).configurationChanged)
        #expect(try !reader.read(annexB(messages + [Vector.p])).configurationChanged)
        #expect(reader.configuration?.picture.dynamicRange == DynamicRangeMetadata())
        #expect(try reader.read(annexB(messages + [Vector.cra])).configurationChanged)
        let found = DynamicRangeMetadata(masteringDisplay: mastering, contentLight: [3, 232, 1, 144])
        #expect(reader.configuration?.picture.dynamicRange == found)
    }

    @Test func whatWasSaidStaysUntilOtherwiseSaid() throws {
        var reader = try reader()
        _ = try reader.read(annexB(Vector.message(137, mastering), Vector.message(144, [0, 1, 0, 1]), Vector.idr))
        #expect(try !reader.read(annexB(Vector.cra)).configurationChanged)
        #expect(try !reader.read(annexB(Vector.message(144, [0, 1, 0, 1]), Vector.cra)).configurationChanged)
        #expect(try reader.read(annexB(Vector.message(144, [0, 2, 0, 1]), Vector.cra)).configurationChanged)
        let found = DynamicRangeMetadata(masteringDisplay: mastering, contentLight: [0, 2, 0, 1])
        #expect(reader.configuration?.picture.dynamicRange == found)
    }

    @Test func thePreferredTransferTakesThePlaceOfThatOfTheStream() throws {
        var reader = try reader()
        _ = try reader.read(annexB(Vector.message(147, [18]), Vector.idr))
        let expected = ColourDescription(primaries: 2, transfer: 18, matrix: 2, isFullRange: false)
        #expect(reader.configuration?.picture.colour == expected)
    }

    @Test(
        arguments: [
            (hdr10Plus, true),
            // Of another country, provider, code, application; and cut short.
            ([0xB4] + hdr10Plus.dropFirst(), false),
            ([0xB5, 0x00, 0x3B] + hdr10Plus.dropFirst(3), false),
            ([0xB5, 0x00, 0x3C, 0x00, 0x02] + hdr10Plus.dropFirst(5), false),
            ([0xB5, 0x00, 0x3C, 0x00, 0x01, 0x05], false),
            (Array(hdr10Plus.prefix(5)), false),
        ] as [([UInt8], Bool)]
    )
    func dynamicMetadataShowsByItsUserData(payload: [UInt8], isHDR10Plus: Bool) throws {
        var reader = try reader()
        _ = try reader.read(annexB(Vector.message(4, payload), Vector.idr))
        #expect(reader.configuration?.picture.dynamicRange.hasHDR10Plus == isHDR10Plus)
    }

    @Test(arguments: ["4e01 8918 aabb 80", "4e01 9003 000102 80", "4e01 9300 80", "4e01 04"])
    func whatIsCutShortSaysNothing(hex: String) throws {
        var reader = try reader()
        _ = try reader.read(annexB([UInt8](hex: hex), Vector.idr))
        #expect(reader.configuration?.picture.dynamicRange == DynamicRangeMetadata())
        #expect(reader.configuration?.picture.colour == nil)
    }

    @Test func x265WritesItSo() async throws {
        let display = "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"
        let stream = try await FFmpegSliceHeaders.encode(
            ["-pix_fmt", "yuv420p10le"],
            parameters: "hdr10=1:\(display):max-cll=1000,400:colorprim=9:transfer=16:colormatrix=9",
            frames: 1
        )
        var reader = try HEVCAccessUnitReader(header: [])
        _ = try reader.read(stream)
        let numbers = [13_250, 34_500, 7500, 3000, 34_000, 16_000, 15_635, 16_450, 152, 38_528, 0, 1]
        let range = DynamicRangeMetadata(
            masteringDisplay: numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
            contentLight: [0x03, 0xE8, 0x01, 0x90]
        )
        #expect(reader.configuration?.picture.dynamicRange == range)
        #expect(reader.configuration?.picture.colour?.transfer == 16)
    }

    @Test func x265PrefersHLG() async throws {
        let parameters = "atc-sei=18:colorprim=9:transfer=14:colormatrix=9"
        let pixels = ["-pix_fmt", "yuv420p10le"]
        let stream = try await FFmpegSliceHeaders.encode(pixels, parameters: parameters, frames: 1)
        var reader = try HEVCAccessUnitReader(header: [])
        _ = try reader.read(stream)
        let colour = ColourDescription(primaries: 9, transfer: 18, matrix: 9, isFullRange: false)
        #expect(reader.configuration?.picture.colour == colour)
    }
}
