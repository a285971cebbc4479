import MediaCore
import NIOCore
import Testing

@testable import ISOBMFF
@testable import Inspection

@Suite struct InitializationSectionTests {
    @Test func clearVideo() {
        let section = InitializationSection(configuration: .avc(Fixture.avc), timescale: 90_000)
        #expect(
            BoxDump(section.encode()).description == """
                ftyp size=32 major_brand=iso6 minor_version=0 compatible_brands=iso6,cmfc,cmf2,mp41
                moov size=677
                  mvhd size=108 version=0 flags=0 creation_time=0 modification_time=0 timescale=90000 duration=0 \
                next_track_ID=2
                  trak size=521
                    tkhd size=92 version=0 flags=3 creation_time=0 modification_time=0 track_ID=1 duration=0 \
                volume=0000 width=640.0 height=360.0
                    mdia size=421
                      mdhd size=32 version=0 flags=0 creation_time=0 modification_time=0 timescale=90000 duration=0 \
                language=55c4
                      hdlr size=45 version=0 flags=0 handler_type=vide name=VideoHandler
                      minf size=336
                        vmhd size=20 version=0 flags=1 fields=0000000000000000
                        dinf size=36
                          dref size=28 version=0 flags=0 entry_count=1
                            url  size=12 version=0 flags=1 fields=
                        stbl size=272
                          stsd size=196 version=0 flags=0 entry_count=1
                            avc1 size=180 data_reference_index=1 width=640 height=360
                              avcC size=59 content=0164001effe1001e6764001eacd940a02ff97016a02020280000030008000003019\
                078b16cb001000668ebe3cb22c0fdf8f800
                              colr size=19 colour_type=nclx colour_primaries=1 transfer_characteristics=1 \
                matrix_coefficients=1 full_range_flag=00
                              pasp size=16 hSpacing=1 vSpacing=1
                          stts size=16 version=0 flags=0 fields=00000000
                          stsc size=16 version=0 flags=0 fields=00000000
                          stsz size=20 version=0 flags=0 fields=0000000000000000
                          stco size=16 version=0 flags=0 fields=00000000
                  mvex size=40
                    trex size=32 version=0 flags=0 track_ID=1 default_sample_description_index=1 \
                default_sample_duration=0 default_sample_size=0 default_sample_flags=00000000

                """
        )
    }

    @Test func encryptedAudioWithALanguage() {
        let section = InitializationSection(
            configuration: .aac(Fixture.aac),
            timescale: 48_000,
            encryption: Fixture.audioEncryption,
            language: "pt-BR"
        )
        #expect(
            BoxDump(section.encode()).description == """
                ftyp size=28 major_brand=iso6 minor_version=0 compatible_brands=iso6,cmfc,mp41
                moov size=735
                  mvhd size=108 version=0 flags=0 creation_time=0 modification_time=0 timescale=48000 duration=0 \
                next_track_ID=2
                  trak size=527
                    tkhd size=92 version=0 flags=3 creation_time=0 modification_time=0 track_ID=1 duration=0 \
                volume=0100 width=0.0 height=0.0
                    mdia size=427
                      mdhd size=32 version=0 flags=0 creation_time=0 modification_time=0 timescale=48000 duration=0 \
                language=41f2
                      elng size=18 version=0 flags=0 extended_language=pt-BR
                      hdlr size=45 version=0 flags=0 handler_type=soun name=SoundHandler
                      minf size=324
                        smhd size=16 version=0 flags=0 fields=00000000
                        dinf size=36
                          dref size=28 version=0 flags=0 entry_count=1
                            url  size=12 version=0 flags=1 fields=
                        stbl size=264
                          stsd size=188 version=0 flags=0 entry_count=1
                            enca size=172 data_reference_index=1 channelcount=2 samplesize=16 samplerate=48000.0
                              esds size=39 version=0 flags=0 \
                descriptors=0319000000041140150000000000000000000000050211900601\
                02
                              sinf size=97
                                frma size=12 data_format=mp4a
                                schm size=20 version=0 flags=0 scheme_type=cbcs scheme_version=00010000
                                schi size=57
                                  tenc size=49 version=1 flags=0 pattern=00 default_isProtected=1 \
                default_Per_Sample_IV_Size=0 default_KID=0123456789abcdef0123456789abcdef \
                default_constant_IV=000102030405060708090a0b0c0d0e0f
                          stts size=16 version=0 flags=0 fields=00000000
                          stsc size=16 version=0 flags=0 fields=00000000
                          stsz size=20 version=0 flags=0 fields=0000000000000000
                          stco size=16 version=0 flags=0 fields=00000000
                  mvex size=40
                    trex size=32 version=0 flags=0 track_ID=1 default_sample_description_index=1 \
                default_sample_duration=0 default_sample_size=0 default_sample_flags=00000000
                  pssh size=52 version=1 flags=0 SystemID=1077efecc0b24d02ace33c1e52e2fb4b \
                KID=0123456789abcdef0123456789abcdef Data=

                """
        )
    }

    @Test func readerFindsVideoAsItWasWritten() throws {
        let section = InitializationSection(
            configuration: .avc(Fixture.avc),
            timescale: 90_000,
            encryption: Fixture.videoEncryption,
            language: "en"
        )
        let parsed = try ParsedInitialization(section.encode())
        #expect(parsed.majorBrand == "iso6")
        #expect(parsed.compatibleBrands == ["iso6", "cmfc", "cmf2", "mp41"])
        #expect(parsed.tracks.count == 1)
        #expect(parsed.track.trackID == InitializationSection.trackID)
        #expect(parsed.track.timescale == 90_000)
        #expect(parsed.track.language == "eng")
        #expect(parsed.track.extendedLanguage == nil)
        #expect(parsed.track.handler == "vide")
        #expect(parsed.track.defaults == ParsedTrack.Defaults())
        let entry = parsed.track.sampleEntry
        #expect(entry.type == "encv")
        #expect(entry.originalFormat == "avc1")
        #expect(entry.scheme == "cbcs")
        #expect((entry.width, entry.height) == (640, 360))
        #expect(entry.extensions["avcC"]?.hex == String(AVCConfigurationBox(Fixture.avc).hex.dropFirst(16)))
        let encryption = try #require(entry.encryption)
        #expect(encryption.version == 1)
        #expect((encryption.cryptBlocks, encryption.skipBlocks) == (1, 9))
        #expect(encryption.isProtected)
        #expect(encryption.perSampleIVSize == 0)
        #expect(encryption.keyID == Fixture.keyID)
        #expect(encryption.constantIV == Fixture.constantIV.bytes)
        #expect(parsed.protectionSystems.map(\.systemID) == [ProtectionSystemHeader.common(Fixture.keyID).systemID])
        #expect(parsed.protectionSystems.map(\.keyIDs) == [[Fixture.keyID]])
    }

    @Test func readerFindsAudioAsItWasWritten() throws {
        let section = InitializationSection(configuration: .aac(Fixture.aac), timescale: 48_000, language: "sr-Latn")
        let track = try ParsedInitialization(section.encode()).track
        #expect(track.language == "srp")
        #expect(track.extendedLanguage == "sr-Latn")
        #expect(track.sampleEntry.type == "mp4a")
        #expect(track.sampleEntry.originalFormat == "mp4a")
        #expect(track.sampleEntry.encryption == nil)
        #expect((track.sampleEntry.channels, track.sampleEntry.sampleRate) == (2, 48_000))
        #expect(track.sampleEntry.audioSpecificConfig == [0x11, 0x90])
    }

    @Test func longAudioSpecificConfigIsFoundAgain() throws {
        var aac = Fixture.aac
        aac.audioSpecificConfig = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let section = InitializationSection(configuration: .aac(aac), timescale: 48_000)
        #expect(
            try ParsedInitialization(section.encode()).track.sampleEntry.audioSpecificConfig == aac.audioSpecificConfig
        )
    }

    @Test(arguments: [
        (Ratio(1, 1), 720, "720.0"), (Ratio(64, 45), 720, "1024.0"), (Ratio(4, 3), 1000, "1333.3333282470703"),
        (Ratio(0, 0), 720, "0.0"), (Ratio(-1, 5), -3, "0.0"), (Ratio(.max, 1), .max, "65535.99998474121"),
    ])
    func presentationSizeHasSquarePixels(ratio: Ratio, width: Int, expected: String) {
        var avc = Fixture.avc
        avc.picture.sampleAspectRatio = ratio
        avc.picture.width = width
        let dump = BoxDump(InitializationSection(configuration: .avc(avc), timescale: 25).encode()).description
        #expect(dump.contains("volume=0000 width=\(expected) height=360.0"))
    }

    @Test func colourIsLeftOutWhereTheStreamSaysNothing() throws {
        var avc = Fixture.avc
        avc.picture.colour = nil
        let section = InitializationSection(configuration: .avc(avc), timescale: 25)
        #expect(try ParsedInitialization(section.encode()).track.sampleEntry.extensions["colr"] == nil)
    }
}
