import NIOCore
import TestSupport
import Testing

@testable import Inspection
@testable import MPEGTS

@Suite struct PackedAudioTests {
    private let frames = [ByteBuffer(bytes: [0xFF, 0xF1, 1]), ByteBuffer(bytes: [0xFF, 0xF1, 2])]

    @Test func tagTellsTheTimeOfTheFirstFrame() throws {
        let segment = PackedAudioSegment(presentationTime: 7 << 33 + 0x1_2345_6789, frames: frames)
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8).hex
        #expect(
            segment.encode().hex
                == digits("494433 0400 00 0000003f 50524956 00000035 0000")
                + owner + digits("00 0000000123456789 fff101 fff102")
        )
        let parsed = try ParsedPackedAudio(segment.encode())
        #expect(parsed.presentationTime == 0x1_2345_6789)
        #expect(parsed.audioSetup == nil)
        #expect(parsed.frames.hex == "fff101fff102")
    }

    @Test func tagOfEncryptedFramesHasTheirSetup() throws {
        let segment = PackedAudioSegment(presentationTime: -1, audioSetup: Fixture.aacSetup, frames: frames)
        let parsed = try ParsedPackedAudio(segment.encode())
        #expect(parsed.presentationTime == 0x1_FFFF_FFFF)
        #expect(parsed.audioSetup?.hex == digits("7a616163 0000 01 02 1190"))
        let owner = Array("com.apple.streaming.audioDescription".utf8).hex
        #expect(segment.encode().hex.contains(digits("50524956 0000002f 0000") + owner + "00" + "7a616163"))
        #expect(parsed.frames.hex == "fff101fff102")
    }

    @Test func longSetupIsCountedInSevenBitsAByte() throws {
        let setup = AudioSetupInformation(.eac3, setupData: [UInt8](repeating: 0xEE, count: 243))
        let parsed = try ParsedPackedAudio(
            PackedAudioSegment(presentationTime: 5, audioSetup: setup, frames: frames).encode()
        )
        #expect(parsed.audioSetup?.count == 251)
        #expect(parsed.frames.hex == "fff101fff102")
    }

    @Test func tagWithoutTimeIsRefused() {
        let bytes = PackedAudioSegment(presentationTime: 5, frames: frames).encode()
        for (index, value) in [(0, 0x48), (3, 3), (10, 0x51), (20, 0x78), (67, 1)] as [(Int, UInt8)] {
            var changed = bytes
            changed.setInteger(value, at: index)
            #expect(throws: ParsedPackedAudio.MalformedTagError.self) { try ParsedPackedAudio(changed) }
        }
        for count in 0..<73 {
            let cut = bytes.getSlice(at: 0, length: count) ?? ByteBuffer()
            #expect(throws: ParsedPackedAudio.MalformedTagError.self) { try ParsedPackedAudio(cut) }
        }
    }
}
