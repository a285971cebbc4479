import Testing

@testable import Inspection
@testable import MPEGTS

@Suite struct TransportProgramTests {
    /// A table's first payload without pointer_field, checksum and stuffing.
    private func section(_ program: TransportProgram, _ place: Int) -> String {
        let payload = program.tablePackets[place].payload
        let length = 3 + Int(payload[2] & 0x0F) << 8 + Int(payload[3])
        #expect(payload[0] == 0)
        #expect(payload.count == 184)
        #expect(payload.dropFirst(1 + length).allSatisfy { $0 == 0xFF })
        return payload[1..<(1 + length - 4)].hex
    }

    /// The program map without head: from PCR_PID to its checksum.
    private func map(_ streams: [ElementaryStream]) throws -> String {
        String(section(try TransportProgram(streams), 1).dropFirst(16))
    }

    @Test func checksumIsThatOfMPEG2() {
        #expect(SectionChecksum.value("123456789".utf8) == 0x0376_E6E7)
        #expect(SectionChecksum.value([]) == 0xFFFF_FFFF)
    }

    @Test func associationNamesTheMap() throws {
        let program = try Fixture.program(.h264)
        #expect(section(program, 0) == digits("00 b00d 0001 c1 00 00 0001 f000"))
        #expect(program.tablePackets[0].payload.prefix(17).hex == digits("00 00b00d0001c100000001f000 2ab104b2"))
        #expect(program.tablePackets.map(\.pid) == [0, 0x1000])
        #expect(program.tablePackets.map(\.isUnitStart) == [true, true])
    }

    @Test func mapOfClearStreams() throws {
        #expect(try map([.init(.h264)]) == digits("e100 f000 1b e100 f000"))
        #expect(
            try map([.init(.h264), .init(.aac, language: "eng")])
                == digits("e100 f000 1b e100 f000 0f e200 f006 0a04 656e6700")
        )
        #expect(
            try map([.init(.hevc), .init(.ac3), .init(.eac3, language: "deu", isAudioDescription: true)])
                == digits(
                    """
                    e100 f000 24 e100 f006 0504 48455643
                    81 e200 f006 0504 41432d33
                    87 e201 f00c 0504 45414333 0a04 64657503
                    """
                )
        )
        #expect(try map([.init(.mpegAudio)]) == digits("e200 f000 03 e200 f000"))
    }

    @Test func mapOfTimedMetadataPointsToItFromTheProgram() throws {
        #expect(
            try map([.init(.h264), .init(.timedID3)])
                == digits(
                    """
                    e100 f011 250f ffff 49443320 ff 49443320 00 1f 0001
                    1b e100 f000
                    15 e300 f00f 260d ffff 49443320 ff 49443320 00 0f
                    """
                )
        )
    }

    @Test func mapOfEncryptedStreams() throws {
        #expect(
            try map([
                .init(.h264, isEncrypted: true),
                .init(.aac, language: "fra", isEncrypted: true, audioSetup: Fixture.aacSetup),
            ])
                == digits(
                    """
                    e100 f000
                    db e100 f006 0f04 7a617663
                    cf e200 f01c 0f04 61616364 050e 61706164 7a616163 0000 01 02 1190 0a04 66726100
                    """
                )
        )
        let ac3 = AudioSetupInformation(.ac3, setupData: Array(0..<10))
        let eac3 = AudioSetupInformation(.eac3, setupData: [1, 2, 3])
        #expect(
            try map([
                .init(.ac3, isEncrypted: true, audioSetup: ac3), .init(.eac3, isEncrypted: true, audioSetup: eac3),
            ])
                == digits(
                    """
                    e200 f000
                    c1 e200 f01e 0f04 61633364 0516 61706164 7a616333 0000 01 0a 00010203040506070809
                    c2 e201 f017 0f04 65633364 050f 61706164 7a656333 0000 01 03 010203
                    """
                )
        )
    }

    @Test func audioTypesAreNamed() {
        let codes = [AudioSetupInformation.AudioType.aacLC, .heAAC, .heAACv2, .ac3, .eac3].map { "\($0.code)" }
        #expect(codes == ["zaac", "zach", "zacp", "zac3", "zec3"])
    }

    @Test(arguments: ["en", "ENG", "e1g", "engl", ""])
    func languageWithoutThreeLettersIsNotAnnounced(_ language: String) throws {
        #expect(try map([.init(.aac, language: language)]) == digits("e200 f000 0f e200 f000"))
    }

    @Test func identifiersFollowKindAndOrder() throws {
        let program = try Fixture.program(.aac, .h264, .ac3, .timedID3, .hevc, .aac)
        #expect(program.pids == [0x200, 0x100, 0x201, 0x300, 0x101, 0x202])
        #expect(program.clockStream == 1)
        #expect(try Fixture.program(.timedID3, .aac).clockStream == 1)
    }

    @Test func versionTellsClearFromEncryptedAndNeedsNoMemory() throws {
        func version(_ streams: ElementaryStream...) throws -> UInt8 {
            try TransportProgram(streams).tablePackets[1].payload[6] >> 1 & 0x1F
        }
        #expect(try version(.init(.h264)) & 1 == 0)
        #expect(try version(.init(.h264, isEncrypted: true)) & 1 == 1)
        #expect(try version(.init(.h264)) == version(.init(.h264)))
        #expect(try version(.init(.h264)) != version(.init(.h264), .init(.aac)))
    }

    @Test func longMapTakesSeveralPackets() throws {
        let setup = AudioSetupInformation(.aacLC, setupData: [UInt8](repeating: 1, count: 100))
        let stream = ElementaryStream(.aac, language: "eng", isEncrypted: true, audioSetup: setup)
        let program = try TransportProgram(Array(repeating: stream, count: 5))
        #expect(program.tablePackets.map(\.pid) == [0, 0x1000, 0x1000, 0x1000, 0x1000])
        #expect(program.tablePackets.map(\.isUnitStart) == [true, true, false, false, false])
        let parsed = TransportStreamSegment(program, units: Array(repeating: Fixture.frames(10), count: 5)).parsed
        #expect(parsed.violations == [])
        #expect(parsed.packetCounts[0x1000] == 64)
        #expect(parsed.map?.streams.count == 5)
        #expect(parsed.map?.streams.last?.descriptors.body(0x05)?.count == 112)
    }

    @Test func whatCannotBeAnnouncedIsRefused() {
        func error(_ streams: ElementaryStream...) -> TransportProgramError? {
            do {
                _ = try TransportProgram(streams)
                return nil
            } catch {
                return error
            }
        }
        #expect(error() == .noStreams)
        #expect(error(.init(.hevc, isEncrypted: true)) == .notEncryptable(.hevc))
        #expect(error(.init(.mpegAudio, isEncrypted: true)) == .notEncryptable(.mpegAudio))
        #expect(error(.init(.timedID3, isEncrypted: true)) == .notEncryptable(.timedID3))
        #expect(error(.init(.ac3, isEncrypted: true)) == .missingAudioSetup(.ac3))
        func aac(_ count: Int) -> ElementaryStream {
            let setup = AudioSetupInformation(.aacLC, setupData: [UInt8](repeating: 0, count: count))
            return .init(.aac, isEncrypted: true, audioSetup: setup)
        }
        #expect(error(aac(244)) == .audioSetupTooLong)
        #expect(error(aac(243)) == nil)
        #expect(error(aac(243), aac(243), aac(243), aac(243)) == .tooManyStreams)
        #expect(throws: TransportProgramError.tooManyStreams) {
            try TransportProgram(Array(repeating: ElementaryStream(.aac), count: 100_000))
        }
    }
}
