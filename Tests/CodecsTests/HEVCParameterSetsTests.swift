import MediaCore
import TestSupport
import Testing

@testable import Codecs

struct HEVCParameterSetsTests {
    private static func vps(id: Int = 0, unitsInTick: Int = 1001, timescale: Int = 60_000) -> [UInt8] {
        var bits = BitWriter(nalUnitType: 32)
        bits.write(id, bits: 4)
        bits.write(0b11_000000_000_1, bits: 12)
        bits.write(0xFFFF, bits: 16)
        bits.writeProfile()
        bits.write(true)
        for _ in 0..<3 { bits.writeGolomb(0) }
        bits.write(0, bits: 6)
        bits.writeGolomb(0)
        bits.write(true)
        bits.write(unitsInTick, bits: 32)
        bits.write(timescale, bits: 32)
        bits.write(0, bits: 2)
        bits.writeTrailingBits()
        return bits.bytes.escaped
    }

    /// Parameter sets that differ in nothing but what is given.
    private static func sps(id: Int = 0, vpsID: Int = 0, width: Int = 320) -> [UInt8] {
        var bits = BitWriter(nalUnitType: 33)
        bits.write(vpsID << 4 | 1, bits: 8)
        bits.writeProfile()
        for number in [id, 1, width, 240] { bits.writeGolomb(number) }
        bits.write(false)
        for number in [0, 0, 4] { bits.writeGolomb(number) }
        bits.write(true)
        for number in [0, 0, 0, 0, 3, 0, 3, 0, 0] { bits.writeGolomb(number) }
        bits.write(0, bits: 4)
        bits.writeGolomb(0)
        bits.write(0, bits: 5)
        bits.writeTrailingBits()
        return bits.bytes.escaped
    }

    private static func pps(id: Int = 0, spsID: Int = 0, references: Int = 1) -> [UInt8] {
        var bits = BitWriter(nalUnitType: 34)
        for number in [id, spsID] { bits.writeGolomb(number) }
        bits.write(0, bits: 7)
        for number in [references - 1, 0, 0] { bits.writeGolomb(number) }
        bits.write(0, bits: 3)
        for _ in 0..<2 { bits.writeGolomb(0) }
        bits.write(0, bits: 10)
        bits.writeGolomb(0)
        bits.write(0, bits: 2)
        bits.writeTrailingBits()
        return bits.bytes.escaped
    }

    private func sets(_ nalUnits: [UInt8]...) throws -> HEVCParameterSets {
        var sets = HEVCParameterSets()
        for nalUnit in nalUnits { _ = try sets.insert(nalUnit) }
        return sets
    }

    @Test func onlyOtherBytesAreAChange() throws {
        var sets = HEVCParameterSets()
        for nalUnit in [Self.vps(), Self.sps(), Self.pps()] {
            #expect(try sets.insert(nalUnit))
            #expect(try !sets.insert(nalUnit))
        }
        #expect(try sets.insert(Self.sps(width: 640)))
        #expect(try sets.insert(Self.pps(references: 2)))
        #expect(try sets.insert(Self.sps()))
    }

    @Test func theConfigurationListsThemInOrderOfIDs() throws {
        let sets = try sets(
            Self.pps(id: 5, spsID: 2),
            Self.sps(id: 2, vpsID: 3, width: 640),
            Self.pps(id: 1),
            Self.vps(id: 3),
            Self.pps(),
            Self.sps(),
            Self.vps()
        )
        let configuration = try #require(sets.configuration())
        #expect(configuration.videoParameterSets == [Self.vps(), Self.vps(id: 3)])
        #expect(configuration.sequenceParameterSets == [Self.sps(), Self.sps(id: 2, vpsID: 3, width: 640)])
        #expect(configuration.pictureParameterSets == [Self.pps(), Self.pps(id: 1), Self.pps(id: 5, spsID: 2)])
        #expect(configuration.picture.width == 320)
        #expect(sets.configuration(usingPictureParameterSet: 5)?.picture.width == 640)
    }

    @Test func whatCannotBeUsedIsNotInTheConfiguration() throws {
        let sets = try sets(
            Self.vps(),
            Self.vps(id: 1),
            Self.sps(),
            Self.sps(id: 1),
            Self.sps(id: 2, vpsID: 7),
            Self.pps(),
            Self.pps(id: 7, spsID: 9),
            Self.pps(id: 8, spsID: 2)
        )
        let configuration = try #require(sets.configuration())
        #expect(configuration.videoParameterSets == [Self.vps()])
        #expect(configuration.sequenceParameterSets == [Self.sps()])
        #expect(configuration.pictureParameterSets == [Self.pps()])
    }

    @Test func allKindsMakeAConfiguration() throws {
        #expect(HEVCParameterSets().configuration() == nil)
        #expect(try sets(Self.sps(), Self.pps()).configuration() == nil)
        #expect(try sets(Self.vps(), Self.pps()).configuration() == nil)
        #expect(try sets(Self.vps(), Self.sps()).configuration() == nil)
        #expect(try sets(Self.vps(), Self.sps(), Self.pps()).configuration(usingPictureParameterSet: 1) == nil)
    }

    @Test func theVideoParameterSetTellsTheRateWhereNoOtherDoes() throws {
        let picture = try sets(Self.vps(), Self.sps(), Self.pps()).configuration()?.picture
        #expect(picture == PictureFormat(width: 320, height: 240, frameRate: Ratio(60_000, 1001)))
    }

    @Test func anImplausibleFrameRateIsNone() throws {
        let sets = try sets(Self.vps(unitsInTick: 1, timescale: 90_000), Self.sps(), Self.pps())
        #expect(sets.configuration()?.picture == PictureFormat(width: 320, height: 240))
    }

    @Test func aChangedSequenceParameterSetLeavesBehindWhatIsNotSentAgain() throws {
        var sets = try sets(
            Self.vps(),
            Self.sps(),
            Self.pps(),
            Self.pps(id: 1),
            Self.sps(id: 4),
            Self.pps(id: 4, spsID: 4)
        )
        let new = Self.sps(width: 640)
        _ = try sets.insert(new)
        _ = try sets.insert(Self.pps())
        sets.removeStale()
        #expect(sets.configuration()?.sequenceParameterSets == [new, Self.sps(id: 4)])
        #expect(sets.configuration()?.pictureParameterSets == [Self.pps(), Self.pps(id: 4, spsID: 4)])
    }

    @Test func aBrokenOneLeavesTheOneBefore() throws {
        var sets = try sets(Self.vps(), Self.sps(), Self.pps())
        let before = sets.configuration()
        for set in [Self.sps(width: 640), Self.pps(references: 3), Self.vps()] {
            let broken = Array(set.prefix(set.count == Self.vps().count ? 2 : set.count / 2))
            #expect(throws: CodecError.truncated) { try sets.insert(broken) }
        }
        let long = Self.sps() + [UInt8](repeating: 0x55, count: 65_536)
        #expect(throws: CodecError.unsupported("length of parameter set")) { try sets.insert(long) }
        #expect(sets.configuration() == before)
    }
}
