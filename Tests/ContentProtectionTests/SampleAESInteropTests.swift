import ContentProtection
import MediaCore
import NIOCore
import TestSupport
import Testing

/// FFmpeg's HLS demuxer decrypts what is encrypted for transport streams and packed audio, to the last bit.
@Suite(.serialized) struct SampleAESInteropTests {
    enum Audio: String, CaseIterable {
        case aac, ac3, eac3

        /// The options with which FFmpeg makes it.
        var options: [String] {
            ["-i", "anoisesrc=r=48000:a=0.2:seed=1", "-t", "2", "-ac", "2", "-c:a", rawValue, "-b:a", "192k"]
        }

        var clearType: UInt8 {
            switch self {
            case .aac: 0x0F
            case .ac3: 0x81
            case .eac3: 0x87
            }
        }

        var encryptedType: UInt8 {
            switch self {
            case .aac: 0xCF
            case .ac3: 0xC1
            case .eac3: 0xC2
            }
        }

        /// Presentation time from one unit to the next, in 90 kHz.
        var duration: Int { self == .aac ? 1920 : 2880 }

        func units(_ bytes: [UInt8]) -> [[UInt8]] {
            self == .aac ? ElementaryStream.adtsFrames(bytes) : ElementaryStream.frames(bytes, size: 768)
        }

        /// The audio_setup_information of Apple's specification.
        func setupInformation(firstUnit: [UInt8]) -> [UInt8] {
            let (type, data): (String, [UInt8]) =
                switch self {
                case .aac: ("zaac", [0x11, 0x90])
                case .ac3: ("zac3", Array(firstUnit.prefix(10)))
                // 192 kbit/s, one substream: 48 kHz, bsid 16, two channels (ETSI TS 102 366 § F.6).
                case .eac3: ("zec3", [0x06, 0x00, 0x20, 0x04, 0x00])
                }
            return Array(type.utf8) + [0, 0, 1, UInt8(data.count)] + data
        }

        func descriptors(firstUnit: [UInt8]) -> [UInt8] {
            let registration = Array("apad".utf8) + setupInformation(firstUnit: firstUnit)
            return [0x0F, 4] + Array(rawValue.prefix(3) == "eac" ? "ec3d".utf8 : "\(rawValue)d".utf8)
                + [0x05, UInt8(registration.count)] + registration
        }

        func encrypt(
            _ unit: [UInt8],
            with encryptor: inout TransportSampleEncryptor
        ) throws -> [UInt8] {
            var buffer = ByteBuffer(bytes: unit)
            switch self {
            case .aac: try encryptor.encryptAAC(&buffer, at: 7, length: unit.count - 7)
            case .ac3: try encryptor.encryptAC3(&buffer, at: 0, length: unit.count)
            case .eac3: try encryptor.encryptEAC3(&buffer, at: 0, length: unit.count)
            }
            return Array(buffer.readableBytesView)
        }
    }

    private static let key = hex("000102030405060708090a0b0c0d0e0f")
    private static let iv = hex("f0e0d0c0b0a090807060504030201000")

    private func makeEncryptor() throws -> TransportSampleEncryptor {
        try TransportSampleEncryptor(
            key: ContentKey(#require(Bytes16(Self.key))),
            iv: #require(Bytes16(Self.iv))
        )
    }

    /// FFmpeg decrypts a packet with the key of the segment that it reads when the packet is out, and none is read at the
    /// end of the playlist: so a few units are there twice, and those at the end are not looked at.
    private static let unitsAtTheEnd = 3

    /// Lossless noise makes long NAL units with emulation prevention bytes of their own.
    ///
    /// FFmpeg leaves a slice where it is if one ahead of it in the picture has become shorter and it itself has not: so
    /// pictures of several slices have none that needs emulation prevention.
    @Test(arguments: [true, false], [(slices: 1, quality: 0), (slices: 3, quality: 40)])
    func everyPictureIsTheSource(isEncrypted: Bool, coding: (slices: Int, quality: Int)) async throws {
        let presentation = try EncryptedPresentation()
        let source = try await presentation.elementaryStream(
            "source.h264",
            [
                "-i", "testsrc2=s=320x180:r=25", "-t", "2", "-vf", "noise=alls=20:allf=t:all_seed=1", "-c:v", "libx264",
                "-preset", "ultrafast", "-qp", "\(coding.quality)", "-bf", "0", "-g", "25",
                "-x264-params", "aud=1:slices=\(coding.slices)",
                "-f", "h264",
            ]
        )
        let accessUnits = ElementaryStream.accessUnits(source)
        var encryptor = try makeEncryptor()
        let descriptors = isEncrypted ? [0x0F, 4] + Array("zavc".utf8) : []
        var stream = PlainTransportStream(
            .init(type: isEncrypted ? 0xDB : 0x1B, id: 0xE0, descriptors: descriptors)
        )
        var added = 0
        for (index, nalUnits) in (accessUnits + accessUnits.prefix(Self.unitsAtTheEnd)).enumerated() {
            var (ahead, sample, output) = (ByteBuffer(), ByteBuffer(), ByteBuffer())
            for nalUnit in nalUnits {
                if [7, 8, 9].contains(nalUnit[0] & 0x1F) {
                    ahead.writeBytes([0, 0, 0, 1] + nalUnit)
                } else {
                    sample.writeInteger(UInt32(nalUnit.count))
                    sample.writeBytes(nalUnit)
                }
            }
            if isEncrypted {
                try encryptor.write(accessUnit: sample, to: &output)
            } else {
                var pieces: [ByteBuffer] = []
                try sample.appendAnnexB(to: &pieces)
                for piece in pieces { output.writeImmutableBuffer(piece) }
            }
            added += output.readableBytes - sample.readableBytes
            stream.append(Array(ahead.readableBytesView) + output.readableBytesView, at: 90_000 + index * 3_600)
        }
        #expect((added > 0) == (isEncrypted && coding.slices == 1))
        try presentation.write(stream.bytes, as: "segment.ts", key: isEncrypted ? Self.key : nil, iv: Self.iv)
        let expected = try await presentation.decoded("v", file: "source.h264")
        #expect(expected.count == 50)
        #expect(try await presentation.decoded("v").prefix(expected.count) == expected[...])
    }

    @Test(arguments: Audio.allCases, [true, false])
    func everyBlockOfAudioInATransportStreamIsTheSource(audio: Audio, isEncrypted: Bool) async throws {
        let presentation = try EncryptedPresentation()
        let source = try await presentation.elementaryStream("source.\(audio)", audio.options)
        try presentation.write(
            transportStream(of: audio.units(source), audio, isEncrypted: isEncrypted),
            as: "segment.ts",
            key: isEncrypted ? Self.key : nil,
            iv: Self.iv
        )
        let expected = try await presentation.decoded("a", file: "source.\(audio)")
        #expect(expected.count > 60)
        #expect(try await presentation.decoded("a").prefix(expected.count) == expected[...])
    }

    /// FFmpeg reads a playlist of AC-3 to its end before it decrypts any, in search of the sample rate; not so of AAC.
    @Test func everyBlockOfPackedAACIsTheSource() async throws {
        let audio = Audio.aac
        let presentation = try EncryptedPresentation()
        let units = audio.units(try await presentation.elementaryStream("source.\(audio)", audio.options))
        var encryptor = try makeEncryptor()
        var segment = ID3Tag(
            frames: [
                ("com.apple.streaming.transportStreamTimestamp", [0, 0, 0, 0, 0, 1, 0x5F, 0x90]),
                ("com.apple.streaming.audioDescription", audio.setupInformation(firstUnit: units[0])),
            ]
        ).bytes
        for unit in units + units.prefix(Self.unitsAtTheEnd) { segment += try audio.encrypt(unit, with: &encryptor) }
        try presentation.write(segment, as: "segment.\(audio)", key: Self.key, iv: Self.iv)
        let expected = try await presentation.decoded("a", file: "source.\(audio)")
        #expect(expected.count > 60)
        #expect(try await presentation.decoded("a").prefix(expected.count) == expected[...])
    }

    private func transportStream(of units: [[UInt8]], _ audio: Audio, isEncrypted: Bool) throws -> [UInt8] {
        var encryptor = try makeEncryptor()
        var stream = PlainTransportStream(
            .init(
                type: isEncrypted ? audio.encryptedType : audio.clearType,
                id: audio == .aac ? 0xC0 : 0xBD,
                descriptors: isEncrypted ? audio.descriptors(firstUnit: units[0]) : []
            )
        )
        for (index, unit) in (units + units.prefix(Self.unitsAtTheEnd)).enumerated() {
            let unit = isEncrypted ? try audio.encrypt(unit, with: &encryptor) : unit
            stream.append(unit, at: 90_000 + index * audio.duration)
        }
        return stream.bytes
    }
}
