import Foundation
import TestSupport
import Testing

/// Clients of HTTP/2 that mean harm, by a library that we did not write.
@Suite struct FloodTests {
    private struct Ending: Decodable {
        var attack: String
        /// Frames until the server ended it.
        var sent: Int
        var goaway: String?
        var closed: Bool
        var statuses: [String: Int]
    }

    /// The origin with its keys and the control API, or a listener for keys alone.
    @Test(arguments: [false, true])
    func whoFloodsIsSentAwayAndOthersAreServed(keysAreApart: Bool) async throws {
        let directory = try TemporaryDirectory()
        let authority = try await CertificateAuthority("one", in: directory)
        let file = try directory.write(try await authority.certificate(of: "IP:127.0.0.1"), to: "tls.pem")
        let packager = try await PackagerProcess(
            [
                "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--encryption", "aes-128",
                "--tls-certificate", file, "--tls-private-key", file,
            ] + (keysAreApart ? ["--keys-listen", "127.0.0.1:0"] : [])
        )
        let targets =
            keysAreApart
            ? [(try packager.address("keys") + "/live/keys.json", "/live/clearkey")]
            : [
                (packager.url("index.m3u8"), "/live/clearkey"),
                (try packager.control + "/channels", "/channels/live/select"),
            ]
        let curl =
            ["-s", "-m", "20", "--cacert", authority.certificate, "-o", "/dev/null", "-w", "%{http_code}"]
            + [packager.url("index.m3u8")]
        for (url, posted) in targets {
            let script = Repository.script("EndToEndTests/Security/floods.py")
            let flood = try Program(
                Repository.python,
                [script, url, "--authority", authority.certificate, "--posted", posted]
            )
            var servedCount = 0
            while flood.isRunning {
                let status = try await Program.run("/usr/bin/curl", curl)
                #expect(status == "200", "during the flood of \(url)")
                servedCount += 1
            }
            #expect(await flood.exitCode() == 0 && servedCount > 0, "\(flood.errors)")
            let endings = try flood.output.split(separator: "\n").map {
                try JSONDecoder().decode(Ending.self, from: Data($0.utf8))
            }
            let words = [
                "resets": "ENHANCE_YOUR_CALM", "pings": "ENHANCE_YOUR_CALM", "settings": "ENHANCE_YOUR_CALM",
                "windows": "ENHANCE_YOUR_CALM", "unknown": "ENHANCE_YOUR_CALM", "crumbs": "ENHANCE_YOUR_CALM",
                "acknowledgements": "PROTOCOL_ERROR",
                "priorities": "ENHANCE_YOUR_CALM", "continuations": "ENHANCE_YOUR_CALM",
                "headers": "COMPRESSION_ERROR", "empties": "ENHANCE_YOUR_CALM", "streams": "PROTOCOL_ERROR",
            ]
            #expect(Set(endings.map(\.attack)) == Set(words.keys))
            for ending in endings {
                // NIO ends a head without an end by the number of its frames or by its size, whichever it reads first.
                let isHead = ending.attack == "continuations" && ending.goaway == "PROTOCOL_ERROR"
                #expect(ending.closed && (ending.goaway == words[ending.attack] || isHead), "\(url): \(ending)")
                #expect(ending.sent < 500_000, "\(url): \(ending)")
                #expect(ending.statuses["200", default: 0] <= 200, "\(url): \(ending)")
            }
        }
        #expect(try await Program.run("/usr/bin/curl", curl) == "200")
        #expect(await packager.end() == 0)
    }
}
