import MediaCore
import Testing

@testable import Codecs

struct AVCParameterSetsTests {
    /// Parameter sets that differ in nothing but what is given.
    private func sps(id: Int = 0, widthInMacroblocks: Int = 20) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0x6742_C01E, bits: 32)
        bits.writeGolomb(id)
        for number in [0, 2, 1] { bits.writeGolomb(number) }
        bits.write(false)
        bits.writeGolomb(widthInMacroblocks - 1)
        bits.writeGolomb(11)
        bits.write(0b1100, bits: 4)
        bits.writeTrailingBits()
        return bits.bytes
    }

    private func pps(id: Int = 0, spsID: Int = 0, references: Int = 1) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0x68, bits: 8)
        bits.writeGolomb(id)
        bits.writeGolomb(spsID)
        bits.write(0, bits: 2)
        bits.writeGolomb(0)
        bits.writeGolomb(references - 1)
        bits.writeGolomb(0)
        bits.write(0, bits: 3)
        for _ in 0..<3 { bits.writeGolomb(0) }
        bits.write(0, bits: 3)
        bits.writeTrailingBits()
        return bits.bytes
    }

    private func sets(_ nalUnits: [UInt8]...) throws -> AVCParameterSets {
        var sets = AVCParameterSets()
        for nalUnit in nalUnits { _ = try sets.insert(nalUnit) }
        return sets
    }

    @Test func onlyOtherBytesAreAChange() throws {
        var sets = AVCParameterSets()
        #expect(try sets.insert(sps()))
        #expect(try sets.insert(pps()))
        #expect(try !sets.insert(sps()))
        #expect(try !sets.insert(pps()))
        #expect(try sets.insert(sps(widthInMacroblocks: 40)))
        #expect(try sets.insert(pps(references: 2)))
        #expect(try sets.insert(sps()))
    }

    @Test func otherNALUnitsAreIgnored() throws {
        var sets = AVCParameterSets()
        let (slice, nothing): ([UInt8], [UInt8]) = ([0x65, 0x88], [])
        #expect(try !sets.insert(slice))
        #expect(try !sets.insert(nothing))
    }

    @Test func theConfigurationListsThemInOrderOfIDs() throws {
        let sets = try sets(
            pps(id: 5, spsID: 2),
            sps(id: 2, widthInMacroblocks: 40),
            pps(id: 1),
            pps(id: 0),
            sps(id: 0)
        )
        let configuration = try #require(sets.configuration())
        #expect(configuration.sequenceParameterSets == [sps(), sps(id: 2, widthInMacroblocks: 40)])
        #expect(configuration.pictureParameterSets == [pps(id: 0), pps(id: 1), pps(id: 5, spsID: 2)])
        #expect(configuration.picture.width == 320)
        #expect(sets.configuration(usingPictureParameterSet: 5)?.picture.width == 640)
    }

    @Test func whatCannotBeUsedIsNotInTheConfiguration() throws {
        let sets = try sets(sps(), sps(id: 1), pps(), pps(id: 7, spsID: 9))
        let configuration = try #require(sets.configuration())
        #expect(configuration.sequenceParameterSets == [sps()])
        #expect(configuration.pictureParameterSets == [pps()])
    }

    @Test func bothKindsMakeAConfiguration() throws {
        #expect(AVCParameterSets().configuration() == nil)
        #expect(try sets(sps()).configuration() == nil)
        #expect(try sets(pps()).configuration() == nil)
        #expect(try sets(sps(), pps()).configuration(usingPictureParameterSet: 1) == nil)
    }

    @Test func aBrokenOneLeavesTheOneBefore() throws {
        var sets = try sets(sps(), pps())
        let before = sets.configuration()
        let broken = Array(sps(widthInMacroblocks: 40).prefix(6))
        #expect(throws: CodecError.truncated) { try sets.insert(broken) }
        sets.removeStale()
        #expect(sets.configuration() == before)
    }

    @Test func thereAreNeverMoreThanAConfigurationHolds() throws {
        var sets = AVCParameterSets()
        for id in 0..<31 { _ = try sets.insert(sps(id: id)) }
        for id in 0..<255 { _ = try sets.insert(pps(id: id, spsID: id % 31)) }
        #expect(throws: CodecError.unsupported("number of parameter sets")) { try sets.insert(sps(id: 31)) }
        #expect(throws: CodecError.unsupported("number of parameter sets")) { try sets.insert(pps(id: 255)) }
        let long = sps() + [UInt8](repeating: 0x55, count: 65_536)
        #expect(throws: CodecError.unsupported("length of parameter set")) { try sets.insert(long) }
        #expect(sets.configuration()?.sequenceParameterSets.count == 31)
        #expect(sets.configuration()?.pictureParameterSets.count == 255)
    }

    @Test func aChangedSequenceParameterSetLeavesBehindWhatIsNotSentAgain() throws {
        var sets = try sets(sps(), pps(), pps(id: 1), sps(id: 4), pps(id: 4, spsID: 4))
        let new = sps(widthInMacroblocks: 40)
        _ = try sets.insert(new)
        _ = try sets.insert(pps())
        sets.removeStale()
        #expect(sets.configuration()?.sequenceParameterSets == [new, sps(id: 4)])
        #expect(sets.configuration()?.pictureParameterSets == [pps(), pps(id: 4, spsID: 4)])
    }

    @Test func aChangedSequenceParameterSetOnItsOwnKeepsAll() throws {
        var sets = try sets(sps(), pps(), pps(id: 1))
        _ = try sets.insert(sps(widthInMacroblocks: 40))
        sets.removeStale()
        #expect(sets.configuration()?.picture.width == 640)
        #expect(sets.configuration()?.pictureParameterSets == [pps(), pps(id: 1)])
    }
}
