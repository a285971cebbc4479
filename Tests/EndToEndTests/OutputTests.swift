import Foundation
import Glibc
import MediaCore
import Playlists
import TestSupport
import Testing

/// `--output` on a disk that is full, or that others have been at.
@Suite(.serialized) struct OutputTests {
    /// The files that playlists in a directory name and that are not there.
    private static func missing(in directory: String) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".m3u8") }
        var named: Set<String> = []
        for name in names {
            let text = try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
            if name == "index.m3u8" {
                let playlist = try MultivariantPlaylist(parsing: text)
                named.formUnion(playlist.variants.map(\.uri) + playlist.renditions.compactMap(\.uri))
            } else {
                let segments = try MediaPlaylist(parsing: text).segments.filter { !$0.isGap }
                named.formUnion(segments.map(\.uri) + segments.compactMap(\.map?.uri))
            }
        }
        return named.filter { !FileManager.default.fileExists(atPath: "\(directory)/\($0)") }
    }

    /// The newest number that the files of a rendition list; nil if there is no playlist.
    private static func edge(_ directory: String) throws -> Int64? {
        guard let text = try? String(contentsOfFile: "\(directory)/video-180p.m3u8", encoding: .utf8) else {
            return nil
        }
        let playlist = try MediaPlaylist(parsing: text)
        return playlist.mediaSequence.value + Int64(playlist.segments.count)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a disk of its own"))
    func aFullDiskNeverShowsAPlaylistOfWhatIsMissingAndHeals() async throws {
        let directory = try TemporaryDirectory()
        // As large as the filler leaves it: the feed of 0.3 Mbit/s fills a megabyte within half a minute.
        try await Program.run("mount", ["-t", "tmpfs", "-o", "size=1m", "none", directory.path])
        do {
            try await fillAndHeal(directory.path)
        } catch {
            _ = try? await Program.run("umount", ["--lazy", directory.path])
            throw error
        }
        try await Program.run("umount", ["--lazy", directory.path])
    }

    private func fillAndHeal(_ disk: String) async throws {
        let port = Ports.free(datagram: true)
        let control = Ports.free()
        let packager = try await PackagerProcess(
            [
                "--segment-duration", "1", "--window", "10", "--input", "udp://127.0.0.1:\(port)",
                "--output", "\(disk)/out",
            ],
            control: control
        )
        let sender = try FeedSender.udp(port: port, feed: Repository.smallFeed)
        _ = try await eventually(within: 30, "three segments") { try Self.edge("\(disk)/out") }
        // Somebody else fills the disk.
        let filler = "\(disk)/filler"
        _ = try? await Program.run("dd", ["if=/dev/zero", "of=\(filler)", "bs=1k"])
        let status = "http://127.0.0.1:\(control)/channels/live"
        _ = try await eventually(within: 30, "the control API says so") {
            #expect(try Self.missing(in: "\(disk)/out") == [])
            return try await HTTP.get(status).text.contains(#""healthy" : false"#) ? true : nil
        }
        let stuck = try Self.edge("\(disk)/out")
        // What is served is not concerned, nor is anything said again.
        let before = try await packager.mediaPlaylist("video-180p")
        _ = try await packager.mediaPlaylist("video-180p", "the origin goes on") {
            $0.mediaSequence.value >= before.mediaSequence.value + 5
        }
        #expect(try Self.missing(in: "\(disk)/out") == [])
        let warnings = packager.program.errors.split(separator: "\n").filter { $0.contains("cannot be written") }
        #expect(warnings.count == 1, "\(warnings)")
        #expect(warnings.allSatisfy { $0.contains("channel=live") && $0.contains("No space left on device") })
        try FileManager.default.removeItem(atPath: filler)
        _ = try await eventually(within: 30, "the files go on") {
            #expect(try Self.missing(in: "\(disk)/out") == [])
            guard let edge = try Self.edge("\(disk)/out") else { return Bool?.none }
            return edge > (stuck ?? 0) + 3 ? true : nil
        }
        _ = try await eventually(within: 30, "the operator is told that it is well again") {
            try await HTTP.get(status).text.contains(#""healthy" : false"#) ? nil : true
        }
        let events = try await HTTP.get("http://127.0.0.1:\(control)/events").text
        #expect(events.contains(#""output""#))
        sender.program.kill()
        #expect(await packager.end() == 0)
        #expect(packager.program.errors.contains("playlists go on"))
        #expect(FileManager.default.fileExists(atPath: "\(disk)/out/index.m3u8"))
    }

    @Test func whatAKilledRunHasLeftGoes() async throws {
        let directory = try TemporaryDirectory()
        let output = directory.file("out")
        func run() async throws -> PackagerProcess {
            try await PackagerProcess(
                [
                    "--segment-duration", "1", "--window", "8", "--input", Repository.smallFeed, "--loop", "--output",
                    output,
                ]
            )
        }
        let first = try await run()
        _ = try await eventually(within: 30, "files") { try Self.edge(output) }
        first.program.kill()
        _ = await first.program.exitCode()
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(output)/video-180p").filter {
            $0.hasSuffix(".m4s")
        }
        try #require(!left.isEmpty)
        // One that was killed while it wrote, and one that is not ours.
        try Data().write(to: URL(filePath: "\(output)/video-180p/1700000000.m4s.new"))
        try Data().write(to: URL(filePath: "\(output)/video-180p/notes.txt"))
        let second = try await run()
        _ = try await eventually(within: 30, "what was left is gone") {
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(output)/video-180p")
            return Set(files).isDisjoint(with: left + ["1700000000.m4s.new"]) ? true : nil
        }
        #expect(FileManager.default.fileExists(atPath: "\(output)/video-180p/notes.txt"))
        #expect(try Self.missing(in: output) == [])
        await second.end()
    }
}
