import MediaCore
import Testing

@testable import ISOBMFF
@testable import Inspection

@Suite struct AudioSpecificBoxesTests {
    @Test(arguments: [
        (Fixture.ac3, "103dc0"),
        (
            AC3Configuration(
                sampleRateCode: 1,
                bitstreamIdentification: 6,
                bitstreamMode: 1,
                audioCodingMode: 2,
                hasLowFrequencyEffects: false,
                bitRateCode: 10
            ), "4c5140"
        ),
    ])
    func ac3RepeatsTheSyncframesHeader(ac3: AC3Configuration, hex: String) {
        #expect(AC3SpecificBox(ac3: ac3).hex == digits("0000000b 64616333 \(hex)"))
    }

    @Test func enhancedAC3IsOneSubstream() {
        #expect(EC3SpecificBox(Fixture.eac3).hex == digits("0000000d 64656333 0600 200f00"))
    }

    @Test func jointObjectCodingIsAnExtension() {
        var eac3 = Fixture.eac3
        (eac3.dataRate, eac3.jointObjectCodingComplexity) = (768, 16)
        let box = EC3SpecificBox(eac3)
        #expect(box.hex == digits("0000000f 64656333 1800 200f00 01 10"))
        #expect(
            BoxDump(box).description == """
                dec3 size=15 data_rate=768 num_ind_sub=0 reserved=0 flag_ec3_extension_type_a=1 complexity_index_type_a=16
                  - fscod=0 bsid=16 reserved=0 asvc=0 bsmod=0 acmod=7 lfeon=1 reserved=0 num_dep_sub=0 chan_loc_0=0

                """
        )
    }

    @Test func dependentSubstreamsSayWhereTheirChannelsAre() {
        let eac3 = EAC3Configuration(
            dataRate: 8191,
            independentSubstreams: [
                EAC3Configuration.Substream(
                    sampleRateCode: 2,
                    bitstreamIdentification: 12,
                    bitstreamMode: 5,
                    audioCodingMode: 7,
                    hasLowFrequencyEffects: false,
                    dependentSubstreams: 1,
                    channelLocations: 0x102
                ),
                EAC3Configuration.Substream(sampleRateCode: 0, audioCodingMode: 2, hasLowFrequencyEffects: false),
            ]
        )
        #expect(EC3SpecificBox(eac3).hex == digits("00000011 64656333 fff9 985e03 02 200400"))
    }

    @Test func opusHeaderIsBigEndian() {
        #expect(OpusSpecificBox(opus: Fixture.opus).hex == digits("00000013 644f7073 00 02 0138 0000ac44 ff00 00"))
    }

    @Test func opusChannelsMayBeMapped() {
        let opus = OpusConfiguration(
            channels: 6,
            preSkip: 312,
            inputSampleRate: 48_000,
            mappingFamily: 1,
            mappingTable: [4, 2, 0, 4, 1, 2, 3, 5]
        )
        let box = OpusSpecificBox(opus: opus)
        #expect(box.hex == digits("0000001b 644f7073 00 06 0138 0000bb80 0000 01 04 02 000401020305"))
        #expect(
            BoxDump(box).description == """
                dOps size=27 Version=0 OutputChannelCount=6 PreSkip=312 InputSampleRate=48000 OutputGain=0 \
                ChannelMappingFamily=1 StreamCount=4 CoupledCount=2 ChannelMapping=000401020305

                """
        )
    }

    @Test func flacHasItsLastMetadataBlockFirst() {
        let streamInfo = Fixture.flac.streamInfo.hex
        let box = FLACSpecificBox(flac: Fixture.flac)
        #expect(box.hex == digits("00000032 64664c61 00000000 80 000022") + streamInfo)
        #expect(
            BoxDump(box).description == """
                dfLa size=50 version=0 flags=0
                  - LastMetadataBlockFlag=1 BlockType=0 BlockData=\(streamInfo)

                """
        )
    }

    @Test func appleLosslessHasItsCookie() {
        let box = ALACSpecificBox(alac: Fixture.alac)
        #expect(box.hex == digits("00000024 616c6163 00000000") + Fixture.alac.specificConfig.hex)
        #expect(
            BoxDump(box).description == """
                alac size=36 version=0 flags=0 frameLength=4096 compatibleVersion=0 bitDepth=24 tuning=280a0e numChannels=2 \
                maxRun=255 maxFrameBytes=4660 avgBitRate=22136 sampleRate=44100

                """
        )
    }
}
