import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// Streams that no encoder here makes: substreams, joint object coding, and every optional field on the way to it.
struct DolbyAudioTests {
    /// Whoever may send to a feed must not have a frame searched to the end of its bytes, from each byte anew.
    @Test func aFrameHasFewSyncframes() throws {
        let independent = Syncframe(bytes: 32).contents
        let dependent = Syncframe(type: 1, bytes: 32).contents
        let many = independent + Array(repeating: dependent, count: 10_000).joined()
        #expect(throws: CodecError.invalid("count of AC-3 substreams")) {
            try DolbyAudioFraming().substreams(of: many.span.bytes)
        }
        let few = independent + Array(repeating: dependent, count: 8).joined() + independent
        #expect(try DolbyAudioFraming().substreams(of: few.span.bytes)?.length == 9 * 32)
    }

    /// A syncframe of Enhanced AC-3, written along ETSI TS 102 366 § E.1.2.2.
    struct Syncframe {
        var type = 0
        var id = 0
        var bytes = 64
        var blockCode = 3
        var mode = 7
        var hasLowFrequencyEffects = true
        var channelMap: Int?
        var isFirstOfSix = true
        var hasMetadata = false
        var additional: [UInt8] = []

        var contents: [UInt8] {
            var bits = BitWriter()
            for (value, count) in [
                (0x0B77, 16), (type, 2), (id, 3), (bytes / 2 - 1, 11), (0, 2), (blockCode, 2), (mode, 3),
                (hasLowFrequencyEffects ? 1 : 0, 1), (16, 5), (27, 5), (1, 1), (0xAA, 8),
            ] { bits.write(value, bits: count) }
            if mode == 0 { bits.write(0b11011_1_10101010, bits: 14) }
            if type == 1 {
                bits.write(channelMap != nil)
                if let channelMap { bits.write(channelMap, bits: 16) }
            }
            bits.write(hasMetadata)
            if hasMetadata { writeMixing(to: &bits) }
            bits.write(hasMetadata)
            if hasMetadata { writeInformation(to: &bits) }
            if type == 0, blockCode != 3 { bits.write(isFirstOfSix) }
            if type == 2 {
                if blockCode != 3 { bits.write(true) }
                bits.write(0b101010, bits: 6)
            }
            bits.write(!additional.isEmpty)
            if !additional.isEmpty {
                bits.write(additional.count - 1, bits: 6)
                for byte in additional { bits.write(byte, bits: 8) }
            }
            return bits.bytes + [UInt8](repeating: 0x5A, count: bytes - bits.bytes.count)
        }

        /// Every field that may be there, all its bits set.
        private func writeMixing(to bits: inout BitWriter) {
            func ones(_ count: Int) { bits.write(UInt32.max, bits: count) }
            if mode > 2 { ones(2) }
            if [3, 5, 7].contains(mode) { ones(6) }
            if mode >= 4 { ones(6) }
            if hasLowFrequencyEffects { ones(1 + 5) }
            guard type == 0 else { return }
            ones(1 + 6)
            if mode == 0 { ones(1 + 6) }
            ones(1 + 6)
            bits.write(3, bits: 2)
            bits.write(1, bits: 5)
            ones(24)
            if mode < 2 { ones(1 + 14) }
            if mode == 0 { ones(1 + 14) }
            bits.write(true)
            if blockCode == 0 { ones(5) } else { for _ in 0..<[1, 2, 3, 6][blockCode] { ones(6) } }
        }

        private func writeInformation(to bits: inout BitWriter) {
            bits.write(0b010_11, bits: 5)
            if mode == 2 { bits.write(0b1111, bits: 4) }
            if mode >= 6 { bits.write(0b11, bits: 2) }
            bits.write(0x1FF, bits: 9)
            if mode == 0 { bits.write(0x1FF, bits: 9) }
            bits.write(true)
        }
    }

    private func reader() throws -> any AudioFrameReader {
        try #require(try InputTrack(index: 0, kind: .audio, codec: .eac3).audioFrameReader())
    }

    private func configuration(_ packet: [UInt8]) throws -> EAC3Configuration {
        var reader = try reader()
        #expect(try reader.read(packet).frames.map(\.payload) == [ByteBuffer(bytes: packet)])
        guard case .eac3(let configuration)? = reader.codecConfiguration else { throw CodecError.invalid("codec") }
        return configuration
    }

    @Test func aDependentSubstreamAddsItsChannels() throws {
        // Ls, Rs and Lrs/Rrs.
        let back = Syncframe(type: 1, bytes: 512, mode: 6, hasLowFrequencyEffects: false, channelMap: 0x1A00)
        let packet = Syncframe(bytes: 1024).contents + back.contents
        let configuration = try configuration(packet)
        #expect(configuration.dataRate == 384)
        #expect(
            configuration.independentSubstreams == [
                EAC3Configuration.Substream(
                    sampleRateCode: 0,
                    audioCodingMode: 7,
                    hasLowFrequencyEffects: true,
                    dependentSubstreams: 1,
                    channelLocations: 0b10
                )
            ]
        )
        #expect(configuration.audio.channels == 8)
        #expect(configuration.dec3Body.hex == "0c00200f0202")
    }

    @Test(arguments: [
        (0x0400, 0x001), (0x0200, 0x002), (0x0100, 0x004), (0x0080, 0x008), (0x0040, 0x010), (0x0020, 0x020),
        (0x0010, 0x040), (0x0008, 0x080), (0x0002, 0x100), (0xF801, 0), (0x0004, 0),
    ])
    func channelMapsAreTurnedRound(map: Int, locations: UInt16) throws {
        let packet = Syncframe().contents + Syncframe(type: 1, channelMap: map).contents
        #expect(try configuration(packet).independentSubstreams.first?.channelLocations == locations)
    }

    @Test func jointObjectCodingIsDeclared() throws {
        let configuration = try configuration(Syncframe(bytes: 3072, additional: [0x01, 16]).contents)
        #expect(configuration.jointObjectCodingComplexity == 16)
        #expect(configuration.dec3Body.hex == "1800200f000110")
        #expect(try self.configuration(Syncframe(additional: [0x00, 16]).contents).jointObjectCodingComplexity == nil)
        #expect(try self.configuration(Syncframe(additional: [0x01]).contents).jointObjectCodingComplexity == nil)
        #expect(try self.configuration(Syncframe(additional: [0x01, 17]).contents).jointObjectCodingComplexity == nil)
    }

    @Test func objectsThatComeAndGoAreOneConfiguration() throws {
        var reader = try reader()
        #expect(try reader.read(Syncframe(bytes: 512).contents).configurationChanged)
        #expect(try reader.read(Syncframe(bytes: 512, additional: [1, 12]).contents).configurationChanged)
        #expect(try !reader.read(Syncframe(bytes: 512).contents).configurationChanged)
        // A variable bit rate is refused, too.
        #expect(try !reader.read(Syncframe(bytes: 700, additional: [1, 11]).contents).configurationChanged)
        #expect(try reader.read(Syncframe(bytes: 700, additional: [1, 13]).contents).configurationChanged)
        #expect(try reader.read(Syncframe(bytes: 700, mode: 2).contents).configurationChanged)
    }

    @Test(arguments: 0...7, 0...3)
    func everyOptionalFieldIsSteppedOver(mode: Int, blockCode: Int) throws {
        for type in [0, 2] {
            let blocks = [1, 2, 3, 6][blockCode]
            let packet = (0..<6 / blocks).flatMap { index in
                Syncframe(
                    type: type,
                    bytes: 96,
                    blockCode: blockCode,
                    mode: mode,
                    hasLowFrequencyEffects: mode % 2 == 0,
                    isFirstOfSix: index == 0,
                    hasMetadata: true,
                    additional: [0x01, 7]
                ).contents
            }
            let configuration = try configuration(packet)
            #expect(configuration.jointObjectCodingComplexity == 7)
            #expect(configuration.independentSubstreams.map(\.bitstreamMode) == [2])
            #expect(configuration.independentSubstreams.map(\.audioCodingMode) == [UInt8(mode)])
        }
    }

    @Test func eachProgramIsASubstream() throws {
        let second = Syncframe(id: 1, bytes: 128, mode: 2, hasLowFrequencyEffects: false)
        let configuration = try configuration(Syncframe(bytes: 256).contents + second.contents)
        #expect(configuration.independentSubstreams.map(\.audioCodingMode) == [7, 2])
        #expect(configuration.dec3Body.hex == "0301200f00200400")
    }

    @Test func sixBlocksThatLostOneAreLeftOut() throws {
        var reader = try reader()
        let (first, later) = (Syncframe(blockCode: 1).contents, Syncframe(blockCode: 1, isFirstOfSix: false).contents)
        let result = try reader.read(first + later + first + later + later + first + later + later)
        #expect(result.frames.count == 2)
        #expect(result.frames.allSatisfy { $0.payload.readableBytes == 192 })
        #expect(result.unreadableBytes == 128)
    }

    @Test(arguments: [
        ("0b780000 14405020 0000", CodecError.invalid("AC-3 syncword")),
        ("0b770000 d4405020 0000", .invalid("fscod")), ("0b770000 26405020 0000", .invalid("frmsizecod")),
        ("0b770000 14485020 0000", .unsupported("AC-3 of a reduced sample rate")),
        ("0b770000 14a05020 0000", .invalid("bsid")), ("0b77d000 3f870000 0000", .invalid("strmtyp")),
        ("0b77001f cf870000 0000", .unsupported("AC-3 of a reduced sample rate")),
        ("0b770000 ff870000 0000", .invalid("fscod2")),
        ("0b770000 3f800000 0000", .invalid("AC-3 frame size")),
        ("0b77401f 3f870000 0000", .invalid("order of AC-3 substreams")), ("", .truncated),
    ])
    func whatIsNoSyncframeIsAnError(hex: String, error: CodecError) throws {
        var reader = try reader()
        let packet = [UInt8](hex: hex) + [UInt8](repeating: 0, count: hex.isEmpty ? 0 : 54)
        #expect(throws: error) { try reader.read(packet) }
        #expect(reader.codecConfiguration == nil)
    }

    @Test func setUpDataDescribesTheStream() throws {
        let ac3 = AC3Configuration(
            sampleRateCode: 0,
            bitstreamIdentification: 8,
            bitstreamMode: 0,
            audioCodingMode: 7,
            hasLowFrequencyEffects: true,
            bitRateCode: 15
        )
        let information = try #require(CodecConfiguration.ac3(ac3).audioSetupInformation)
        #expect(information.type == "zac3")
        #expect(information.data.hex == "0b7700001e40e1f80000")
        let eac3 = try configuration(Syncframe(bytes: 3072, additional: [0x01, 16]).contents)
        #expect(CodecConfiguration.eac3(eac3).audioSetupInformation?.type == "zec3")
        #expect(CodecConfiguration.eac3(eac3).audioSetupInformation?.data == eac3.dec3Body)
        for (config, type) in [("1190", "zaac" as FourCC), ("2b118800", "zach"), ("eb098800", "zacp")] {
            let aac = CodecConfiguration.aac(try AACConfiguration(audioSpecificConfig: [UInt8](hex: config)))
            #expect(aac.audioSetupInformation?.type == type)
            #expect(aac.audioSetupInformation?.data.hex == config)
        }
        let mp3 = MPEGAudioConfiguration(layer: 3, sampleRate: 48_000, channels: 2)
        #expect(CodecConfiguration.mpegAudio(mp3).audioSetupInformation == nil)
    }

    @Test(arguments: [1, 2, 6])
    func aSyncframesStartIsFFmpegs(channels: Int) async throws {
        let packet = try await FFmpegAudio.withFile("ac3") { file in
            try await FFmpegAudio.encode("ac3", rate: 44_100, channels: channels, to: file, format: "ac3")
            return try await FFmpegAudio.probe(file).packets[0].bytes
        }
        var reader = try #require(try InputTrack(index: 0, kind: .audio, codec: .ac3).audioFrameReader())
        _ = try reader.read(packet)
        let data = try #require(reader.codecConfiguration?.audioSetupInformation?.data)
        // The same sample rate and size, identification and mode; mix levels and dialogue normalisation are not told.
        #expect(data.prefix(2) == packet.prefix(2))
        #expect(data[4] & 0xFE == packet[4] & 0xFE)
        #expect(data[5] == packet[5] && data[6] >> 5 == packet[6] >> 5)
    }
}
