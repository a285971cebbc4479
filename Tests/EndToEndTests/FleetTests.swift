import Foundation
import TestSupport
import Testing

/// HAProxy as Config/fleet has it, in front of packagers of two groups.
@Suite struct FleetTests {
    private static func packager(_ channel: String) async throws -> PackagerProcess {
        try await PackagerProcess(
            ["--name", channel, "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--window", "12"]
        )
    }

    @Test func everyChannelIsAnsweredByItsGroup() async throws {
        let (news, film) = (try await Self.packager("news"), try await Self.packager("film"))
        // The other member of each is dead.
        let dead = "127.0.0.1:\(Ports.free())"
        let (address, scheme) = ("127.0.0.1:\(Ports.free())", "http://")
        let proxy = try Program(
            "/usr/sbin/haproxy",
            ["-f", Repository.root.appending(path: "Config/fleet/haproxy.cfg").path],
            environment: [
                "LISTEN": address, "MAP": Repository.root.appending(path: "Config/fleet/channels.map").path,
                "GROUP_1_A": dead, "GROUP_1_B": String(news.origin.dropFirst(scheme.count)),
                "GROUP_2_A": String(film.origin.dropFirst(scheme.count)), "GROUP_2_B": dead,
            ]
        )
        @Sendable func status(_ path: String) async throws -> Int {
            if !proxy.isRunning { throw Program.Failure(description: proxy.output + proxy.errors) }
            return try await HTTP.get("\(scheme)\(address)\(path)").status
        }
        for channel in ["news", "film"] {
            _ = try await eventually(within: 15, "\(channel) is answered") {
                try await status("/\(channel)/index.m3u8") == 200 ? true : nil
            }
            // A member that is dead costs no request.
            for _ in 0..<8 { #expect(try await status("/\(channel)/index.m3u8") == 200) }
        }
        #expect(try await status("/sport/index.m3u8") == 404, "group-1 has no such channel")
        #expect(try await status("/none/index.m3u8") == 404)
        #expect(try await status("/news/window%2Ejson") == 403)
        proxy.terminate()
        await news.end()
        await film.end()
    }
}
