import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// Streams of x265, as this package and as FFmpeg read them.
struct HEVCStreamTests {
    struct Stream: Sendable, CustomTestStringConvertible {
        var name: String
        var source = "testsrc2=size=416x240:rate=25"
        var options: [String] = []
        var parameters: String
        var testDescription: String { name }

        func encode() async throws -> [UInt8] {
            try await FFmpegSliceHeaders.encode(source: source, options, parameters: parameters, frames: 20)
        }
    }

    static let streams = [
        Stream(name: "open groups", parameters: "open-gop=1:keyint=8:bframes=3:b-adapt=0:repeat-headers=1"),
        Stream(name: "closed groups", parameters: "open-gop=0:keyint=8:radl=2:bframes=3:repeat-headers=1:aud=1"),
        Stream(name: "slices", parameters: "keyint=10:slices=3:repeat-headers=1"),
        Stream(
            name: "cropped, anamorphic, 10 bits",
            source: "testsrc2=size=410x238:rate=30000/1001,setsar=40/33",
            options: ["-pix_fmt", "yuv420p10le"],
            parameters: "colorprim=9:transfer=18:colormatrix=9:range=full:repeat-headers=1"
        ),
        Stream(
            name: "4:2:2, HRD, high tier",
            options: ["-pix_fmt", "yuv422p"],
            parameters: "hrd=1:vbv-maxrate=9000:vbv-bufsize=9000:bitrate=5000:level-idc=4:high-tier=1:repeat-headers=1"
        ),
        Stream(name: "interlaced", parameters: "interlace=tff:repeat-headers=1:keyint=8"),
        Stream(name: "temporal layers", parameters: "temporal-layers=1:bframes=3:repeat-headers=1"),
        Stream(name: "monochrome", options: ["-pix_fmt", "gray"], parameters: "repeat-headers=1"),
    ]

    /// The access units of a stream that comes in one packet, and the configuration at its end.
    private func read(_ stream: [UInt8]) throws -> (units: [AccessUnit], configuration: HEVCConfiguration) {
        var reader = try HEVCAccessUnitReader(header: [], wantsSubsamples: true)
        var units: [AccessUnit] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let unit = try reader.read(Array(rest))
            rest = rest.dropFirst(unit.packetBytes)
            units.append(unit)
        }
        #expect(reader.unreadableParameterSets == 0)
        return (units, try #require(reader.configuration))
    }

    @Test(arguments: streams)
    func samplesDecodeToTheSamePictures(stream: Stream) async throws {
        let original = try await stream.encode()
        let (units, configuration) = try read(original)
        #expect(units.count == 20)
        #expect(units.allSatisfy { $0.hasPicture })
        #expect(units.map(\.configurationChanged) == [true] + [Bool](repeating: false, count: 19))
        var written: [UInt8] = []
        for unit in units {
            let covered = unit.subsamples.reduce(0) { $0 + Int($1.clearBytes) + Int($1.protectedBytes) }
            #expect(covered == unit.payload.readableBytes)
            written += configuration.annexBPrefix(isSync: unit.isSync)
            var payload = unit.payload
            while let length = payload.readInteger(as: UInt32.self),
                let nalUnit = payload.readBytes(length: Int(length))
            {
                written += annexB(nalUnit)
            }
        }
        let pictures = try await checksums(original)
        #expect(pictures.count == 20)
        #expect(try await checksums(written) == pictures)
    }

    /// A decoder that starts at a sync sample shows all pictures from it on in presentation order.
    @Test func decodingStartsAtCleanRandomAccess() async throws {
        let original = try await Self.streams[0].encode()
        let (units, configuration) = try read(original)
        let start = try #require(units.lastIndex { $0.isSync })
        #expect(start > 0 && units[start...].contains(where: \.isSkippedLeading))
        var written = configuration.annexBPrefix(isSync: true)
        for unit in units[start...] where !unit.isSkippedLeading {
            var payload = unit.payload
            while let length = payload.readInteger(as: UInt32.self),
                let nalUnit = payload.readBytes(length: Int(length))
            {
                written += annexB(nalUnit)
            }
        }
        let pictures = try await checksums(written)
        #expect(pictures.count == units[start...].count { !$0.isSkippedLeading })
        #expect(try await checksums(original).suffix(pictures.count) == pictures[...])
    }

    @Test(arguments: streams)
    func theConfigurationIsWhatFFmpegFinds(stream: Stream) async throws {
        let original = try await stream.encode()
        let configuration = try read(original).configuration
        let picture = configuration.picture
        let found = try await probe(original)
        #expect(found["width"] == "\(picture.width)" && found["height"] == "\(picture.height)")
        let aspect = picture.sampleAspectRatio
        #expect(found["sample_aspect_ratio"] == "\(aspect.numerator):\(aspect.denominator)")
        #expect(found["level"] == "\(configuration.profileTierLevel.level)")
        #expect(found["r_frame_rate"] == picture.frameRate.map { "\($0.numerator)/\($0.denominator)" })
        let chroma = ["gray", "yuv420p", "yuv422p"][Int(picture.chromaFormat)]
        #expect(found["pix_fmt"]?.hasPrefix(chroma) == true)
        #expect(found["pix_fmt"]?.contains("10le") == (picture.lumaBitDepth == 10))
        #expect(found["color_range"] == (picture.colour?.isFullRange == true ? "pc" : found["color_range"]))
        #expect((found["color_transfer"] == "arib-std-b67") == (picture.colour?.transfer == 18))
        #expect((found["color_primaries"] == "bt2020") == (picture.colour?.primaries == 9))
        try compare(configuration, withRecord: await hvcC(of: original))
    }

    /// FFmpeg writes `hvcC`: its general part says what the configuration says, and its parameter sets make the same.
    private func compare(_ configuration: HEVCConfiguration, withRecord record: [UInt8]) throws {
        let reader = try HEVCAccessUnitReader(header: record)
        #expect(reader.configuration == configuration)
        let general = configuration.profileTierLevel
        #expect(record[1] == general.profileSpace << 6 | (general.isHighTier ? 0x20 : 0) | general.profile)
        #expect(record[2..<6].reduce(0) { $0 << 8 | UInt32($1) } == general.compatibilityFlags)
        #expect(record[6..<12].reduce(0) { $0 << 8 | UInt64($1) } == general.constraintFlags)
        #expect(record[12] == general.level)
        #expect(UInt16(record[13] & 0x0F) << 8 | UInt16(record[14]) == configuration.minimumSpatialSegmentation)
        #expect(record[16] & 3 == configuration.picture.chromaFormat)
        #expect(record[17] & 7 == configuration.picture.lumaBitDepth - 8)
        #expect(record[18] & 7 == configuration.picture.chromaBitDepth - 8)
        #expect(record[21] >> 3 & 7 == configuration.temporalLayers)
        #expect(record[21] >> 2 & 1 == (configuration.isTemporalIDNested ? 1 : 0))
    }

    /// MD5 of every picture, in order of presentation.
    private func checksums(_ stream: [UInt8]) async throws -> [String] {
        try await withFile(stream) { file in
            // Written to a file: of a pipe, what comes last may not have been read when the program has ended.
            let report = file + ".md5"
            defer { try? FileManager.default.removeItem(atPath: report) }
            let input = ["-v", "error", "-nostdin", "-f", "hevc", "-i", file]
            try await Program.run("ffmpeg", input + ["-vsync", "passthrough", "-f", "framemd5", report])
            return try String(contentsOfFile: report, encoding: .utf8)
                .split(separator: "\n")
                .filter { !$0.hasPrefix("#") }
                .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
        }
    }

    private func probe(_ stream: [UInt8]) async throws -> [String: String] {
        try await withFile(stream) { file in
            let report = file + ".txt"
            defer { try? FileManager.default.removeItem(atPath: report) }
            let arguments = ["-v", "error", "-f", "hevc", "-show_streams", "-of", "default", "-o", report, file]
            try await Program.run("ffprobe", arguments)
            let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
            let pairs = lines.map { $0.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
            return Dictionary(pairs.map { ("\($0[0])", "\($0[1])") }) { first, _ in first }
        }
    }

    private func hvcC(of stream: [UInt8]) async throws -> [UInt8] {
        try await withFile(stream) { file in
            let output = file + ".mp4"
            defer { try? FileManager.default.removeItem(atPath: output) }
            let arguments = [
                "-v", "error", "-nostdin", "-f", "hevc", "-i", file, "-c", "copy", "-tag:v", "hvc1", output,
            ]
            try await Program.run("ffmpeg", arguments)
            let bytes = try Data(contentsOf: URL(filePath: output))
            let box = try #require(bytes.range(of: Data("hvcC".utf8)))
            let size = bytes[box.lowerBound - 4..<box.lowerBound].reduce(0) { $0 << 8 | Int($1) }
            return Array(bytes[box.upperBound..<box.lowerBound - 4 + size])
        }
    }

    private func withFile<Result>(_ bytes: [UInt8], _ body: (String) async throws -> Result) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "hevc-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        return try await body(file.path)
    }
}
