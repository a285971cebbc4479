import Foundation
import TestSupport
import Testing

/// Two packagers that know each other over HTTPS.
@Suite struct EncryptedPairTests {
    private struct Status: Decodable {
        struct Peer: Decodable { var problem: String? }
        var peer: Peer?
    }

    @Test func whoTrustsItsPeerPublishesTheSameAndOthersSaySo() async throws {
        let fixture = try PairFixture(count: 3)
        let directory = try TemporaryDirectory()
        let authority = try await CertificateAuthority("one", in: directory)
        let file = try directory.write(try await authority.certificate(of: "IP:127.0.0.1"), to: "tls.pem")
        let tls = ["--tls-certificate": file, "--tls-private-key": file]
        let port = Ports.free()
        @Sendable func curl(_ url: String) async throws -> String {
            try await Program.run("/usr/bin/curl", ["-s", "-f", "-m", "5", "--cacert", authority.certificate, url])
        }
        let first = try await fixture.packager(0, tls, port: port)
        _ = try await eventually(within: 60, "three segments") {
            try await curl(first.url("video-360p.m3u8")).split(separator: "#EXTINF").count > 3 ? true : nil
        }
        let peer = tls.merging(["--peer": "https://127.0.0.1:\(port)"]) { given, _ in given }
        let trusting = peer.merging(["--peer-authority": authority.certificate]) { given, _ in given }
        let second = try await fixture.packager(1, trusting)
        let third = try await fixture.packager(2, peer)
        @Sendable func problem(_ packager: PackagerProcess) async throws -> String? {
            let text = try await curl(try packager.control + "/channels/live")
            return try JSONDecoder().decode(Status.self, from: Data(text.utf8)).peer?.problem
        }
        // It has what was published before it was there.
        let old = try #require(
            try await curl(first.url("video-360p.m3u8")).split(separator: "\n").last { $0.hasSuffix(".m4s") }
        )
        _ = try await eventually(within: 30, "the window is taken over") {
            try await curl(second.url("video-360p.m3u8")).contains(old) ? true : nil
        }
        #expect(try await problem(second) == nil)
        let silence = try await eventually(within: 30, "the stranger is noticed") { try await problem(third) }
        #expect(silence.localizedCaseInsensitiveContains("certificate"), "\(silence)")
        for packager in [first, second, third] { #expect(await packager.end() == 0) }
    }
}
