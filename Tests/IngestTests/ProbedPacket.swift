import Codecs
import Foundation
import MediaCore
import TestSupport

@testable import Ingest

/// A packet as ffprobe shows it, with its parsers.
struct ProbedPacket: Equatable, CustomStringConvertible {
    /// 90 kHz ticks.
    var timestamp: Int64
    var byteCount: Int

    var description: String { "\(timestamp): \(byteCount)" }
}

/// The packets of a feed's stream.
func probe(_ file: String, stream: String) async throws -> [ProbedPacket] {
    try await Program.run(
        "ffprobe",
        [
            "-v", "quiet", "-select_streams", stream, "-show_entries", "packet=pts,size:stream=time_base", "-of",
            "json",
            "-o", "\(file).json", file,
        ]
    )
    struct Report: Decodable {
        var packets: [Packet]
        var streams: [Stream]
        struct Packet: Decodable {
            var pts: Int64
            var size: String
        }
        struct Stream: Decodable {
            var timeBase: String
            enum CodingKeys: String, CodingKey { case timeBase = "time_base" }
        }
    }
    let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: "\(file).json")))
    let base = report.streams[0].timeBase.split(separator: "/").compactMap { Int64($0) }
    return report.packets.map { packet in
        ProbedPacket(
            timestamp: MediaTime.rescale(packet.pts * base[0], from: base[1], to: MediaTime.timescale),
            byteCount: Int(packet.size) ?? 0
        )
    }
}

extension Recorder.Record {
    /// Packets of a track, those of several frames taken apart.
    func frames(of track: InputTrackIndex, syntax: AudioFrameSyntax?) -> [ProbedPacket] {
        zip(packets, payloads).filter { $0.0.trackIndex == track }.flatMap { info, payload -> [ProbedPacket] in
            var (frames, offset, time) = ([ProbedPacket](), 0, MediaTime(ticks: info.presentationTimestamp ?? .min))
            while let header = syntax?.wholeHeader(Array(payload[offset...]).span.bytes) {
                let samples = MediaTime(header.samples * Int64(frames.count), timescale: header.sampleRate)
                frames.append(ProbedPacket(timestamp: (time + samples).ticks, byteCount: header.byteCount))
                offset += header.byteCount
            }
            if offset < payload.count {
                frames.append(ProbedPacket(timestamp: time.ticks, byteCount: payload.count - offset))
                time = .zero
            }
            return frames
        }
    }
}
