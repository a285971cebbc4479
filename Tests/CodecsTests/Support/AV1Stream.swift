import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// An AV1 stream as an encoder of FFmpeg's writes it, with what FFmpeg's `trace_headers` says of it.
struct AV1Stream {
    /// The OBUs of each temporal unit.
    var temporalUnits: [[OBU]]
    /// FFmpeg's reading of each OBU of type 3, 4, 6 and 7, in order.
    var traces: [Trace]

    /// An OBU with a size field, taken apart by nothing but AV1 § 5.3.
    struct OBU: Hashable {
        var bytes: [UInt8]
        /// Bytes of the header and the size field.
        var headerBytes: Int

        var type: UInt8 { bytes[0] >> 3 & 15 }
        var payload: ArraySlice<UInt8> { bytes[headerBytes...] }
    }

    /// The list that `trace_headers` makes of an OBU.
    struct Trace: Hashable {
        /// Values by name.
        var values: [String: Int] = [:]
        /// Bits of the OBU to where its header ends, and to where what is listed ends.
        var headerBits = 0
        var bits = 0
        /// Columns times rows.
        var tiles = 0
        /// Bits of a tile's number.
        var tileBits = 0

        var type: Int { values["obu_type"] ?? 0 }
        var isShownKeyFrame: Bool {
            values["show_existing_frame"] != 1 && values["frame_type", default: 0] == 0
                && values["show_frame", default: 1] == 1
        }
    }

    /// A way to encode 15 pictures.
    struct Recipe: Sendable, CustomTestStringConvertible {
        var name: String
        var options: [String]
        var testDescription: String { name }

        init(_ name: String, _ options: String) {
            self.name = name
            self.options = options.split(separator: " ").map(String.init)
        }
    }

    static let recipes = [
        Recipe("shown later", "-c:v libaom-av1 -cpu-used 8 -g 8"),
        Recipe("tiles", "-c:v libaom-av1 -cpu-used 8 -g 8 -tiles 2x2"),
        Recipe("10 bits", "-c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p10le -color_trc smpte2084"),
        Recipe("4:4:4", "-c:v libaom-av1 -cpu-used 8 -pix_fmt yuv444p -tiles 2x1"),
        Recipe("monochrome", "-c:v libaom-av1 -cpu-used 8 -pix_fmt gray"),
        Recipe("film grain", "-c:v libaom-av1 -cpu-used 8 -aom-params film-grain-test=3"),
        Recipe("screen content", "-c:v libaom-av1 -cpu-used 5 -aom-params tune-content=screen"),
        Recipe("lossless", "-c:v libaom-av1 -cpu-used 8 -aom-params lossless=1"),
        Recipe("error resilient", "-c:v libaom-av1 -cpu-used 8 -aom-params error-resilient=1"),
        Recipe("segmentation", "-c:v libaom-av1 -cpu-used 8 -aq-mode 1 -aom-params enable-qm=1"),
        Recipe("global motion", "-vf rotate=0.03*n -c:v libaom-av1 -cpu-used 2"),
        Recipe("still picture", "-frames:v 1 -c:v libaom-av1 -cpu-used 8 -still-picture 1"),
        Recipe("SVT-AV1", "-c:v libsvtav1 -preset 8 -g 8"),
        Recipe("super-resolution", "-c:v libsvtav1 -preset 8 -svtav1-params superres-mode=1:superres-denom=13"),
        Recipe("SVT-AV1 with tiles", "-c:v libsvtav1 -preset 8 -svtav1-params film-grain=8:tile-columns=1:tile-rows=1"),
        Recipe("rav1e", "-c:v librav1e -speed 10 -g 8 -tile-columns 2 -tile-rows 2"),
    ]

    init(_ recipe: Recipe) async throws {
        self = try await TemporaryFile.with { file in
            try await Self.run(
                [
                    "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=256x128:rate=25", "-frames:v", "15",
                ] + recipe.options + ["-f", "obu", file.path]
            )
            return try await AV1Stream(file: file)
        }
    }

    /// - Parameter file: In the low overhead bitstream format.
    /// - Throws: If it cannot be read, or FFmpeg cannot.
    init(file: URL) async throws {
        temporalUnits = Self.obus(in: try [UInt8](Data(contentsOf: file))).reduce(into: []) { units, obu in
            if obu.type == 2 { units.append([]) }
            units[units.count - 1].append(obu)
        }
        traces = try await Self.trace(file, format: "obu")
    }

    /// FFmpeg's reading of the OBUs of type 3, 4, 6 and 7 in a file.
    static func trace(_ file: URL, format: String) async throws -> [Trace] {
        try await TemporaryFile.with { report in
            // Written to a file: of a pipe, what comes last may not have been read when the program has ended.
            try await run(
                [
                    "-nostdin", "-nostats", "-v", "quiet", "-f", format, "-i", file.path, "-c", "copy", "-copyinkf",
                    "-bsf:v",
                    "trace_headers", "-f", "null", "-",
                ],
                environment: ["FFREPORT": "file=\(report.path):level=56"]
            )
            return traces(in: try [UInt8](Data(contentsOf: report)))
        }
    }

    /// Runs FFmpeg for what it writes to files.
    private static func run(_ arguments: [String], environment: [String: String] = [:]) async throws {
        let program = try Program("ffmpeg", arguments, environment: environment)
        let code = await program.exitCode()
        try #require(code == 0, "\(program.errors)")
    }

    static func obus(in bytes: [UInt8]) -> [OBU] {
        var obus: [OBU] = []
        var start = 0
        while start < bytes.count {
            var end = start + (bytes[start] & 4 == 0 ? 1 : 2)
            var (size, shift) = (0, 0)
            repeat {
                size |= Int(bytes[end] & 0x7F) << shift
                shift += 7
                end += 1
            } while bytes[end - 1] & 0x80 != 0
            obus.append(OBU(bytes: Array(bytes[start..<end + size]), headerBytes: end - start))
            start = end + size
        }
        return obus
    }

    static let temporalDelimiter: [UInt8] = [0x12, 0]

    /// MD5 of every picture, in order of presentation.
    static func checksums(_ stream: [UInt8]) async throws -> [String] {
        try await TemporaryFile.with { file in
            try Data(stream).write(to: file)
            return try await TemporaryFile.with { report in
                try await run(
                    ["-nostdin", "-v", "error", "-f", "obu", "-i", file.path, "-vsync", "passthrough"]
                        + ["-f", "framemd5", report.path]
                )
                return String(decoding: try Data(contentsOf: report), as: UTF8.self)
                    .split(separator: "\n")
                    .filter { !$0.hasPrefix("#") }
                    .compactMap { $0.split(separator: ",").last.map(String.init) }
            }
        }
    }

    /// A temporal unit with every tile in a tile group OBU of its own.
    ///
    /// - Parameters:
    ///   - unit: What was read, with its subsamples.
    ///   - traces: Those of its OBUs, which are taken away.
    /// - Returns: OBUs with size fields.
    static func regroup(_ unit: AccessUnit, _ traces: inout ArraySlice<Trace>) -> [UInt8] {
        let payload = Array(unit.payload.readableBytesView)
        var tiles = unit.tiles[...]
        var result: [UInt8] = []
        var position = 0
        var layout = (tiles: 1, tileBits: 0, next: 0)
        for obu in obus(in: payload) {
            position += obu.bytes.count
            guard [3, 4, 6].contains(obu.type) else {
                result += obu.bytes
                continue
            }
            guard let trace = traces.popFirst() else { return [] }
            if obu.type == 3 { result += obu.bytes }
            if obu.type == 6 {
                result += write(type: 3, cut(obu.payload, to: trace.headerBits - obu.headerBytes * 8))
            }
            if obu.type != 4 { layout = (trace.tiles, trace.tileBits, 0) }
            while let tile = tiles.first, tile.upperBound <= position {
                tiles.removeFirst()
                result += write(
                    type: 4,
                    groupHeader(of: layout.next, bits: layout.tiles > 1 ? layout.tileBits : 0) + payload[tile]
                )
                layout.next += 1
            }
        }
        return result
    }

    /// The first bits of a payload behind which it ends: trailing_bits() (AV1 § 5.3.4).
    private static func cut(_ payload: ArraySlice<UInt8>, to bits: Int) -> [UInt8] {
        var bytes = Array(payload.prefix(bits / 8 + 1))
        bytes[bits / 8] = bytes[bits / 8] & ~(0xFF >> (bits % 8)) | 0x80 >> (bits % 8)
        return bytes
    }

    /// tile_start_and_end_present_flag, tg_start and tg_end, which are the same tile; nothing where there is but one.
    private static func groupHeader(of tile: Int, bits: Int) -> [UInt8] {
        guard bits > 0 else { return [] }
        var writer = BitWriter()
        writer.write(true)
        for _ in 0..<2 { writer.write(tile, bits: bits) }
        return writer.bytes
    }

    private static func write(type: UInt8, _ payload: [UInt8]) -> [UInt8] {
        // leb128() of four bytes.
        let size = [0, 7, 14, 21].map { (shift: Int) -> UInt8 in
            UInt8(payload.count >> shift & 0x7F) | (shift < 21 ? 0x80 : 0)
        }
        return [type << 3 | 2] + size + payload
    }

    private static func traces(in report: [UInt8]) -> [Trace] {
        var traces: [Trace] = []
        var isInPacket = false
        for line in report.split(separator: UInt8(ascii: "\n")) where line.starts(with: "[trace_headers".utf8) {
            let words = line.split(separator: UInt8(ascii: " "))
            let fields = words.dropFirst(3).map { String(decoding: $0, as: UTF8.self) }
            switch fields.first {
            case "Packet:": isInPacket = true
            case "Extradata": isInPacket = false
            case "OBU" where isInPacket: traces.append(Trace())
            default: break
            }
            guard isInPacket, let last = traces.indices.last else { continue }
            if fields.count == 5, fields[3] == "=", let position = Int(fields[0]), let value = Int(fields[4]) {
                traces[last].bits = position + fields[2].count
                traces[last].values[fields[1]] = value
                if fields[1] == "context_update_tile_id" { traces[last].tileBits = fields[2].count }
            } else if fields[0] == "Frame", fields.count > 2, fields[2] == "size" {
                traces[last].headerBits = traces[last].bits
                let counts = fields[fields.count - 1].split { !$0.isNumber }.compactMap { Int($0) }
                traces[last].tiles = counts.reduce(1, *)
            }
        }
        return traces.filter { [3, 4, 6, 7].contains($0.type) }
    }
}
