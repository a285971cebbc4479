import Foundation
import Playlists
import TestSupport

/// Two packagers of one secret on one feed whose timestamps are UTC, so that they publish the same bytes.
final class PackagerPair: Sendable {
    let one: PackagerProcess
    let other: PackagerProcess
    private let sender: FeedSender

    /// - Parameter arguments: For both of them.
    /// - Throws: Where they or the sender do not start.
    init(_ arguments: [String]) async throws {
        let directory = try TemporaryDirectory()
        let secret = try directory.write(String(repeating: "5a", count: 32), to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        let ports = [Ports.free(datagram: true), Ports.free(datagram: true)]
        let common = arguments + ["--clock", "pts", "--encryption", "sample-aes", "--key-secret", secret]
        one = try await PackagerProcess(common + ["--input", "udp://127.0.0.1:\(ports[0])"])
        other = try await PackagerProcess(common + ["--input", "udp://127.0.0.1:\(ports[1])"])
        // PTS is UTC modulo 2^33 in 90 kHz.
        let wrap = Double(1 << 33) / 90_000
        let offset = Date.now.timeIntervalSince1970.truncatingRemainder(dividingBy: wrap)
        let targets = ports.map { "[f=mpegts]udp://127.0.0.1\\:\($0)?pkt_size=1316" }.joined(separator: "|")
        sender = try FeedSender(to: ["-f", "tee", targets], options: ["-output_ts_offset", "\(offset)"])
    }

    /// Waits until both list this many segments of the picture.
    func publish(segments count: Int) async throws {
        for packager in [one, other] {
            _ = try await packager.mediaPlaylist("video-360p", "\(count) segments") { $0.segments.count >= count }
        }
    }

    func end() async {
        sender.program.kill()
        await one.end()
        await other.end()
    }
}
