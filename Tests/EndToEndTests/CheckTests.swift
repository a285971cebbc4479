import Playlists
import TestSupport
import Testing

/// The findings of `packager check` about this packager's own streams.
@Suite(.serialized) struct CheckTests {
    @Test(
        arguments: [
            "--format fmp4", "--format ts", "--format fmp4 --encryption aes-128 --key-rotation 4 --encrypt-init",
            "--format ts --encryption aes-128",
            "--format fmp4 --encryption aes-256-gcm --key-rotation 4 --encrypt-init",
            "--format fmp4 --encryption sample-aes --key-rotation 4",
            "--format ts --encryption sample-aes",
        ].oneIn(3)
    )
    func everyStreamIsClean(options: String) async throws {
        let packager = try await PackagerProcess(
            ["--segment-duration", "1", "--input", Repository.feed, "--loop"]
                + options.split(separator: " ").map(String.init)
        )
        _ = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        let check = try Program(Repository.packager, ["check", packager.url("index.m3u8"), "--duration", "3"])
        #expect(await check.exitCode() == 0)
        let text = try await eventually(within: 10, "check says what it has looked into") {
            check.output.contains("looked into:") ? check.output : nil
        }
        #expect(text.hasPrefix("no rule is broken\n"))
        await packager.end()
    }

    @Test func aLostFeedBreaksNoRule() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(["--segment-duration", "1", "--input", "udp://127.0.0.1:\(port)"])
        let first = try FeedSender.udp(port: port)
        _ = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        first.program.kill()
        _ = try await packager.mediaPlaylist("video-360p", "a gap") { $0.segments.contains(where: \.isGap) }
        let second = try FeedSender.udp(port: port)
        _ = try await packager.mediaPlaylist("video-360p", "media again") { $0.segments.last?.isGap == false }
        let check = try Program(Repository.packager, ["check", packager.url("index.m3u8"), "--duration", "3"])
        let code = await check.exitCode()
        #expect(code == 0, "\(check.output)\(packager.program.errors)")
        second.program.terminate()
        await packager.end()
    }

    @Test func whatIsNoStreamIsSaid() async throws {
        let check = try Program(Repository.packager, ["check", "http://127.0.0.1:\(Ports.free())/index.m3u8"])
        #expect(await check.exitCode() == 1)
        let usage = try Program(Repository.packager, ["check", "feed.ts"])
        #expect(await usage.exitCode() == 2)
    }
}
