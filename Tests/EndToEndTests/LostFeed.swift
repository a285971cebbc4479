import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// A channel whose only feed was killed for some seconds and is back.
struct LostFeed {
    let packager: PackagerProcess
    /// The playlists by rendition.
    let playlists: [String: MediaPlaylist]
    /// The slots that video had no media for.
    let slots: Range<MediaSequenceNumber>
    /// From the first datagram of the second encoder to the first slot with media again, in seconds.
    let recovery: Double
    private let sender: FeedSender
    private let relay: DatagramRelay
    private let directory: TemporaryDirectory

    static let renditions = ["video-360p", "audio-en", "audio-de"]

    private struct Event: Decodable {
        var kind: String
        var renditions: [String]?
        var slot: Int64?
    }

    /// Starts a packager, loses its feed, and waits until media is back.
    ///
    /// - Parameter options: What the packager is told, apart from its feed.
    /// - Throws: ``NotInTime`` if it does not come to that.
    init(_ options: [String]) async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            ["--segment-duration", "1", "--window", "60", "--input", "udp://127.0.0.1:\(port)"] + options
        )
        let relay = DatagramRelay(to: [port])
        let first = try FeedSender.udp(port: relay.port)
        // Where the encoder was late before, there were gaps, which are not these.
        let end = try await packager.mediaPlaylist("video-360p", "five segments") { $0.segments.count >= 5 }.end
        first.program.kill()
        let loss = try await Self.slot(of: ["filler", "gap"], from: end, packager)
        _ = try await packager.mediaPlaylist("video-360p", "five slots without media") {
            $0.end >= loss.advanced(by: 5)
        }
        sender = try .udp(port: relay.port)
        let back = try await Self.slot(of: ["media"], from: loss, packager)
        let silence = try #require(relay.longestPause)
        let started = Date.now.timeIntervalSince1970 - (ContinuousClock.now - silence.end) / .seconds(1)
        var playlists: [String: MediaPlaylist] = [:]
        for rendition in Self.renditions {
            playlists[rendition] = try await packager.mediaPlaylist(rendition, "four slots with media again") {
                $0.end >= back.advanced(by: 4)
            }
        }
        self.relay = relay
        self.packager = packager
        self.playlists = playlists
        slots = loss..<back
        recovery = (playlists["video-360p"]?.segment(back)?.programDateTime.seconds ?? .infinity) - started
        directory = try TemporaryDirectory()
    }

    /// The first slot of these that video was filled otherwise in, by the operator's record.
    private static func slot(
        of kinds: [String],
        from start: MediaSequenceNumber,
        _ packager: PackagerProcess
    ) async throws -> MediaSequenceNumber {
        try await eventually(within: 40, "event \(kinds)") {
            let line = packager.program.output.split(separator: "\n").first { $0.hasPrefix("control ") } ?? ""
            let events = try await HTTP.body("\(line.dropFirst("control ".count))events")
            return try JSONDecoder().decode([Event].self, from: events)
                .filter { kinds.contains($0.kind) && $0.renditions?.contains("video-360p") == true }
                .compactMap { $0.slot.map { MediaSequenceNumber($0) } }.filter { $0 >= start }.min()
        }
    }

    /// Decodes some of a rendition's segments, each run of one map by itself.
    ///
    /// - Returns: MD5 of every picture, or of every frame of audio.
    /// - Throws: ``Program/Failure`` if FFmpeg finds the least fault.
    func decode(_ rendition: String, _ isWanted: (MediaSequenceNumber) -> Bool) async throws -> [String] {
        guard var playlist = playlists[rendition] else { return [] }
        playlist.segments = playlist.numbered.filter { isWanted($0.0) && !$0.1.isGap }.map(\.1)
        var frames: [String] = []
        for run in playlist.periods(base: packager.url("").dropLast().description) {
            let file = try directory.write(run.render(), to: "\(UUID().uuidString).m3u8")
            // Exit code 0 is for streams that it found nothing wrong with.
            let arguments = ["-v", "error", "-nostdin", "-xerror", "-err_detect", "explode"] + playlistOptions
            frames += try await Program.run(
                "ffmpeg",
                arguments + [file, "-map", "0", "-vsync", "passthrough", "-f", "framemd5", "-"]
            )
            .split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
        }
        return frames
    }

    /// baseMediaDecodeTime of a segment, in seconds.
    func decodeTime(_ segment: MediaPlaylist.Segment) async throws -> Double {
        let map = try await HTTP.body(packager.url(segment.map?.uri ?? ""))
        let media = try await HTTP.body(packager.url(segment.uri))
        // ISO/IEC 14496-12 § 8.4.2 and § 8.8.12: timescale and time follow two and no other times, of version 0 and 1.
        return Double(try media.integer(after: "tfdt", skipping: 4, bytes: 8))
            / Double(try map.integer(after: "mdhd", skipping: 12, bytes: 4))
    }

    func end() async {
        sender.program.kill()
        await packager.end()
    }
}

extension MediaPlaylist {
    /// The number after the last segment's.
    var end: MediaSequenceNumber { mediaSequence.advanced(by: Int64(segments.count)) }

    var numbered: [(MediaSequenceNumber, Segment)] {
        segments.enumerated().map { (mediaSequence.advanced(by: Int64($0)), $1) }
    }

    func segment(_ number: MediaSequenceNumber) -> Segment? { numbered.first { $0.0 == number }?.1 }
}

extension Data {
    fileprivate func integer(after box: String, skipping: Int, bytes: Int) throws -> UInt64 {
        let type = try #require(range(of: Data(box.utf8)), "no \(box)")
        return self[type.upperBound...].dropFirst(skipping).prefix(bytes).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
