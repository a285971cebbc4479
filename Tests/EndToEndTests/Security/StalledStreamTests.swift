import Foundation
import TestSupport
import Testing

/// The cost of one connection of HTTP/2 that has many streams and takes nothing.
@Suite struct StalledStreamTests {
    /// Segments of a megabyte and more, as an encoder makes them.
    private static func feed(_ directory: TemporaryDirectory) async throws -> String {
        let path = directory.file("feed.ts")
        try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=10,noise=alls=60:allf=t",
                "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-keyint_min", "25",
                "-sc_threshold", "0", "-b:v", "12M", "-maxrate", "12M", "-bufsize", "6M", "-x264-params", "nal-hrd=cbr",
                path,
            ]
        )
        return path
    }

    /// Megabytes of a process that are in memory.
    private static func residentSize(_ program: Program) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(program.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) }) / 1024
    }

    @Test func whoTakesNothingOfWhatIsOnTheDiskHasLittleOfItRead() async throws {
        let directory = try TemporaryDirectory()
        let authority = try await CertificateAuthority("one", in: directory)
        let file = try directory.write(try await authority.certificate(of: "IP:127.0.0.1"), to: "tls.pem")
        let packager = try await PackagerProcess([
            "--input", try await Self.feed(directory), "--loop", "--segment-duration", "1", "--window", "60",
            "--maximum-memory", "16M", "--state", directory.file("state"), "--tls-certificate", file,
            "--tls-private-key", file,
        ])
        let curl = ["-s", "-f", "-m", "30", "--cacert", authority.certificate]
        // Twenty seconds of 1.5 MB do not fit.
        let oldest = try await eventually(within: 60, "some are on the disk alone") {
            let text = try await Program.run("/usr/bin/curl", curl + [packager.url("video-360p.m3u8")])
            let segments = text.split(separator: "\n").filter { $0.hasSuffix(".m4s") }
            return segments.count >= 20 ? String(segments[1]) : nil
        }
        let url = packager.url(oldest)
        let script = Repository.script("EndToEndTests/Security/stalled.py")
        let before = try Self.residentSize(packager.program)
        let stop = Pipe()
        let stalled = try Program(
            Repository.python,
            [script, url, "--authority", authority.certificate],
            input: stop
        )
        let line = try await eventually(within: 30, "it is answered") {
            stalled.output.split(separator: "\n").first.map(String.init)
        }
        // Of 150 MB, while the channel continues with its own.
        #expect(line == "4 answers have begun")
        #expect(try Self.residentSize(packager.program) - before < 60)
        // Others are served, and who takes what it asks for gets all of it.
        let load = try await Program.run("/usr/bin/h2load", ["-n", "60", "-c", "2", "-m", "30", url])
        #expect(load.contains("60 done, 60 succeeded, 0 failed"), "\(load)")
        try stop.fileHandleForWriting.close()
        #expect(await stalled.exitCode() == 0)
        // What is under way when it ends is finished, slow as its clients are.
        let slow = try ["--http1.1", "--http2"].map { version in
            let file = directory.file("slow\(version)")
            return (file, try Program("/usr/bin/curl", curl + ["--limit-rate", "400k", version, "-o", file, url]))
        }
        @Sendable func size(_ file: String) -> Int {
            (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
        }
        for (file, _) in slow {
            _ = try await eventually(within: 10, "it has begun") { size(file) > 0 ? true : nil }
        }
        #expect(await packager.end() == 0)
        for (file, program) in slow {
            #expect(await program.exitCode() == 0)
            #expect(size(file) > 1_000_000)
        }
    }
}
