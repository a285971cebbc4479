import Foundation
import TestSupport
import Testing

/// The player page in Chromium, over HTTPS.
@Suite struct EncryptedBrowserTests {
    @Test func playsOverHTTP2() async throws {
        let directory = try TemporaryDirectory()
        let authority = try await CertificateAuthority("one", in: directory)
        let file = try directory.write(try await authority.certificate(of: "IP:127.0.0.1"), to: "tls.pem")
        let packager = try await PackagerProcess([
            "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12", "--key-rotation", "4",
            "--encryption", "sample-aes", "--tls-certificate", file, "--tls-private-key", file,
        ])
        let page = try await PlayerPage.play(
            packager.url(""),
            ["--ignore-certificates", "--minimum-advance", "6", "--min-periods", "2"]
        )
        #expect(page.protocols == ["h2"])
        await packager.end()
    }
}
