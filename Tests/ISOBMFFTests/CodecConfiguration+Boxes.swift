import MediaCore
import NIOCore
import Testing

@testable import ISOBMFF
@testable import Inspection

extension CodecConfiguration {
    /// Reads the fields of another muxer's sample entry that the tests' streams need.
    init(_ entry: ParsedSampleEntry) throws {
        switch entry.originalFormat {
        case "hvc1": self = .hevc(try HEVCConfiguration(entry))
        case "av01":
            let box = try #require(entry.extensions["av1C"])
            let (levels, flags) = (box[1], box[2])
            self = .av1(
                AV1Configuration(
                    sequenceHeader: Array(box.dropFirst(4)),
                    profile: levels >> 5,
                    level: levels & 0x1F,
                    isHighTier: flags & 0x80 != 0,
                    chromaSamplePosition: flags & 3,
                    picture: PictureFormat(
                        width: entry.width,
                        height: entry.height,
                        lumaBitDepth: flags & 0x40 == 0 ? 8 : 10
                    )
                )
            )
        case "mp4a":
            if let config = entry.audioSpecificConfig {
                self = .aac(
                    AACConfiguration(
                        audioSpecificConfig: config,
                        objectType: 2,
                        coreSampleRate: entry.sampleRate,
                        outputSampleRate: entry.sampleRate,
                        channels: entry.channels
                    )
                )
            } else {
                self = .mpegAudio(
                    MPEGAudioConfiguration(layer: 3, sampleRate: entry.sampleRate, channels: entry.channels)
                )
            }
        case "ac-3":
            let fields = try #require(entry.extensions["dac3"]).reduce(0) { $0 << 8 | UInt32($1) }
            self = .ac3(
                AC3Configuration(
                    sampleRateCode: UInt8(fields >> 22 & 3),
                    bitstreamIdentification: UInt8(fields >> 17 & 31),
                    bitstreamMode: UInt8(fields >> 14 & 7),
                    audioCodingMode: UInt8(fields >> 11 & 7),
                    hasLowFrequencyEffects: fields >> 10 & 1 == 1,
                    bitRateCode: UInt8(fields >> 5 & 31)
                )
            )
        case "ec-3":
            let fields = try #require(entry.extensions["dec3"]).reduce(0) { $0 << 8 | UInt64($1) }
            self = .eac3(
                EAC3Configuration(
                    dataRate: UInt16(fields >> 27 & 0x1FFF),
                    independentSubstreams: [
                        EAC3Configuration.Substream(
                            sampleRateCode: UInt8(fields >> 22 & 3),
                            audioCodingMode: UInt8(fields >> 9 & 7),
                            hasLowFrequencyEffects: fields >> 8 & 1 == 1
                        )
                    ]
                )
            )
        case "Opus":
            var box = try ByteCursor(entry, "dOps")
            try box.skip(1)
            self = .opus(
                OpusConfiguration(
                    channels: Int(try box.read(UInt8.self)),
                    preSkip: try box.read(),
                    inputSampleRate: try box.read(),
                    outputGain: try box.read(),
                    mappingFamily: try box.read(),
                    mappingTable: try box.readRest()
                )
            )
        case "fLaC":
            let streamInfo = try #require(entry.extensions["dfLa"]).dropFirst(8)
            let fields = streamInfo.dropFirst(10).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            self = .flac(
                FLACConfiguration(
                    streamInfo: Array(streamInfo),
                    sampleRate: Int(fields >> 44),
                    channels: Int(fields >> 41 & 7) + 1,
                    bitsPerSample: Int(fields >> 36 & 31) + 1,
                    samplesPerFrame: 4608
                )
            )
        default:
            let config = try #require(entry.extensions["alac"]).dropFirst(4)
            self = .alac(
                ALACConfiguration(
                    specificConfig: Array(config),
                    sampleRate: entry.sampleRate,
                    channels: Int(Array(config)[9]),
                    bitsPerSample: Int(Array(config)[5]),
                    samplesPerFrame: 4096
                )
            )
        }
    }
}

extension HEVCConfiguration {
    /// Reads `hvcC`.
    fileprivate init(_ entry: ParsedSampleEntry) throws {
        var box = try ByteCursor(entry, "hvcC")
        let fixed = try box.readBytes(22)
        var sets: [UInt8: [[UInt8]]] = [:]
        for _ in 0..<(try box.read(UInt8.self)) {
            let type = try box.read(UInt8.self) & 0x3F
            for _ in 0..<(try box.read(UInt16.self)) {
                sets[type, default: []].append(try box.readBytes(Int(try box.read(UInt16.self))))
            }
        }
        self.init(
            videoParameterSets: sets[32] ?? [],
            sequenceParameterSets: sets[33] ?? [],
            pictureParameterSets: sets[34] ?? [],
            profileTierLevel: ProfileTierLevel(
                isHighTier: fixed[1] & 0x20 != 0,
                profile: fixed[1] & 0x1F,
                compatibilityFlags: fixed[2..<6].reduce(0) { $0 << 8 | UInt32($1) },
                constraintFlags: fixed[6..<12].reduce(0) { $0 << 8 | UInt64($1) },
                level: fixed[12]
            ),
            picture: PictureFormat(
                width: entry.width,
                height: entry.height,
                lumaBitDepth: (fixed[17] & 7) + 8,
                chromaBitDepth: (fixed[18] & 7) + 8
            )
        )
    }
}

extension ByteCursor {
    /// The content of a sample entry's box.
    fileprivate init(_ entry: ParsedSampleEntry, _ type: FourCC) throws {
        let content = try #require(entry.extensions[type])
        self.init(ByteBuffer(bytes: content), in: content.indices)
    }
}
