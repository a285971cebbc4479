import Foundation
import Glibc
import Playlists
import TestSupport
import Testing

/// A film that becomes files: all of it, and then the program ends.
@Suite(.serialized) struct JobTests {
    /// A film of more than a minute, as MP4: longer than the window of a live stream.
    static func film(in directory: TemporaryDirectory) async throws -> String {
        let path = directory.file("film.mp4")
        let stream = directory.file("film.ts")
        try await Program.run(
            "ffmpeg",
            ["-v", "error", "-stream_loop", "8", "-i", Repository.smallFeed, "-c", "copy", stream]
        )
        try await Program.run("ffmpeg", ["-v", "error", "-i", stream, "-c", "copy", path])
        return path
    }

    /// Without ports of its own, for nobody asks it anything.
    static func arguments(_ film: String, _ output: String) -> [String] {
        [
            "--input", film, "--no-realtime", "--segment-duration", "2", "--output", output, "--listen", "127.0.0.1:0",
            "--control", "127.0.0.1:0",
        ]
    }

    private func run(_ arguments: [String]) async throws -> (code: Int32, log: String) {
        let program = try Program(Repository.packager, arguments)
        let code = await program.exitCode()
        return (code, program.errors)
    }

    @Test func allOfAFilmIsKeptAsWhatItIs() async throws {
        let directory = try TemporaryDirectory()
        let film = try await Self.film(in: directory)
        let (code, log) = try await run(Self.arguments(film, directory.file("out")))
        #expect(code == 0, "\(log)")
        #expect(log.contains("notice finished channel=live gaps=0"), "\(log)")
        #expect(!log.contains(" warning "), "\(log)")
        for name in ["video-180p", "audio-en", "video-180p-iframes"] {
            let text = try String(contentsOfFile: directory.file("out/\(name).m3u8"), encoding: .utf8)
            #expect(text.contains("\n#EXT-X-PLAYLIST-TYPE:VOD\n") && text.hasSuffix("#EXT-X-ENDLIST\n"))
        }
        let frames = try await Frames.checksums(["-i", film])
        #expect(frames.count > 25 * 60)
        #expect(try await Frames.checksums(playlistOptions + [directory.file("out/index.m3u8")]) == frames)
        func length(_ input: [String]) async throws -> Double {
            let probed = try await Program.run(
                "ffprobe",
                ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0"] + input
            )
            return try #require(Double(probed.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        #expect(try await abs(length(playlistOptions + [directory.file("out/index.m3u8")]) - length([film])) < 0.1)
    }

    /// Playlists are written now and then while the job runs; in the end they are those of a live channel that has ended.
    @Test func aWindowOfAFilmIsItsNewestPart() async throws {
        let directory = try TemporaryDirectory()
        let film = try await Self.film(in: directory)
        let (code, log) = try await run(Self.arguments(film, directory.file("out")) + ["--window", "12"])
        #expect(code == 0, "\(log)")
        #expect(!log.contains(" warning "), "\(log)")
        for name in ["video-180p", "audio-en"] {
            let text = try String(contentsOfFile: directory.file("out/\(name).m3u8"), encoding: .utf8)
            let playlist = try MediaPlaylist(parsing: text)
            #expect(playlist.isEnded && !playlist.isOnDemand)
            #expect((6...8).contains(playlist.segments.count))
            let listed = Set(playlist.segments.map(\.uri) + playlist.segments.compactMap(\.map?.uri))
            let there = try FileManager.default.contentsOfDirectory(atPath: directory.file("out/\(name)"))
            #expect(listed.isSubset(of: there.map { "\(name)/\($0)" }))
            // Besides, those that a player may still want; the film has more than 30.
            #expect(there.count < 20, "\(there)")
        }
    }

    @Test func whatIsEncryptedHasItsKeysBesideIt() async throws {
        let directory = try TemporaryDirectory()
        let film = try await Self.film(in: directory)
        let encryption = ["--encryption", "aes-128", "--key-rotation", "10"]
        let (code, log) = try await run(
            Self.arguments(film, directory.file("out")) + encryption + ["--output-keys", directory.file("out/keys")]
        )
        #expect(code == 0, "\(log)")
        let keys = try FileManager.default.contentsOfDirectory(atPath: directory.file("out/keys"))
        #expect(keys.count > 5)
        let mode = try FileManager.default.attributesOfItem(atPath: directory.file("out/keys/\(keys[0])"))
        #expect(mode[.posixPermissions] as? Int == 0o600)
        let frames = try await Frames.checksums(["-i", film])
        #expect(try await Frames.checksums(playlistOptions + [directory.file("out/index.m3u8")]) == frames)
        let (_, other) = try await run(Self.arguments(film, directory.file("bare")) + encryption)
        #expect(other.contains("no key is written"), "\(other)")
    }

    /// Files of a run that was killed go with the next run that comes to its end.
    @Test func whatAKilledRunHasLeftIsCleanedUp() async throws {
        let directory = try TemporaryDirectory()
        let film = try await Self.film(in: directory)
        let output = directory.file("out")
        let stopped = try Program(Repository.packager, Self.arguments(film, output))
        _ = try await eventually(within: 30, "it has begun to write") {
            let names = try? FileManager.default.contentsOfDirectory(atPath: "\(output)/video-180p")
            return (names?.count ?? 0) > 2 ? true : nil
        }
        stopped.kill()
        _ = await stopped.exitCode()
        try Data().write(to: URL(filePath: "\(output)/video-180p/1700000000.m4s.new"))
        let (code, log) = try await run(Self.arguments(film, output))
        #expect(code == 0, "\(log)")
        let text = try String(contentsOfFile: "\(output)/video-180p.m3u8", encoding: .utf8)
        let playlist = try MediaPlaylist(parsing: text)
        let listed = Set(playlist.segments.map(\.uri) + playlist.segments.compactMap(\.map?.uri))
        let there = try FileManager.default.contentsOfDirectory(atPath: "\(output)/video-180p").map {
            "video-180p/\($0)"
        }
        #expect(Set(there) == listed)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a disk of its own"))
    func aFullDiskIsWaitedForAndNothingIsLeftOut() async throws {
        let directory = try TemporaryDirectory()
        let film = try await Self.film(in: directory)
        let disk = directory.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        try await Program.run("mount", ["-t", "tmpfs", "-o", "size=1m", "none", disk])
        do {
            let program = try Program(Repository.packager, Self.arguments(film, "\(disk)/out"))
            _ = try await eventually(within: 30, "the disk is full") {
                program.errors.contains("No space left on device") ? true : nil
            }
            try await Program.run("mount", ["-o", "remount,size=64m", disk])
            #expect(await program.exitCode() == 0, "\(program.errors)")
            #expect(program.errors.split(separator: "\n").count { $0.contains("cannot be written") } == 1)
            let frames = try await Frames.checksums(["-i", film])
            #expect(try await Frames.checksums(playlistOptions + ["\(disk)/out/index.m3u8"]) == frames)
        } catch {
            _ = try? await Program.run("umount", ["--lazy", disk])
            throw error
        }
        try await Program.run("umount", ["--lazy", disk])
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a disk of its own"))
    func aJobThatIsToldToEndWaitsForNoDisk() async throws {
        let directory = try TemporaryDirectory()
        let film = try await Self.film(in: directory)
        let disk = directory.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        try await Program.run("mount", ["-t", "tmpfs", "-o", "size=1m", "none", disk])
        let program = try Program(Repository.packager, Self.arguments(film, "\(disk)/out"))
        let isFull = try? await eventually(within: 30, "the disk is full") {
            program.errors.contains("No space left on device") ? true : nil
        }
        program.terminate()
        let code = await program.exitCode()
        _ = try? await Program.run("umount", ["--lazy", disk])
        #expect(isFull == true && code == 0, "\(program.errors)")
    }

    /// A supervisor has to know that the program at the other end of the pipe is gone.
    @Test func aChannelThatHasNothingButAPipeEndsWithIt() async throws {
        let sender = try FeedSender(
            to: ["-f", "mpegts", "-"],
            feed: Repository.smallFeed,
            pipesOutput: true,
            rounds: 1
        )
        let packager = try await PackagerProcess(
            ["--segment-duration", "1", "--input", "-"],
            input: sender.program.outputPipe
        )
        let playlist = try await packager.mediaPlaylist("video-180p", "the stream ends") { $0.isEnded }
        #expect(playlist.segments.count > 3)
        #expect(await packager.program.exitCode() == 3)
        #expect(packager.program.errors.contains("packager: channel live: its feed has ended"))
    }
}
