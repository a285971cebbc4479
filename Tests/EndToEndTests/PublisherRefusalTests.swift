import Foundation
import TestSupport
import Testing

/// Refusals of publishers are recorded with an address, and without secrets that would allow publishing.
@Suite struct PublisherRefusalTests {
    @Test(arguments: [
        ("rtmp://127.0.0.1:%/live/secret-key", "rtmp://127.0.0.1:%/live/wrong-guess", "flv"),
        (
            "srt://127.0.0.1:%?mode=listener&streamid=secret-key&passphrase=secret-phrase",
            "srt://127.0.0.1:%?streamid=wrong-guess&passphrase=secret-phrase", "mpegts"
        ),
    ])
    func aRefusalIsAnEventWithItsAddressAndWithoutKeys(input: String, guess: String, format: String) async throws {
        let port = "\(Ports.free(datagram: format == "mpegts"))"
        let packager = try await PackagerProcess(["--input", input.replacing("%", with: port)])
        let caller = ["-f", format, guess.replacing("%", with: port)]
        let event = try await eventually(within: 60, "the refusal is an event") { () async throws -> String? in
            // The packager may not listen yet.
            let sender = try FeedSender(to: ["-map", "-0:a:1"] + caller)
            #expect(await sender.program.exitCode() != 0)
            let events = try await HTTP.get("\(packager.control)/events").text
            return events.contains("publisher-refused") ? events : nil
        }
        #expect(event.contains("A publisher at 127.0.0.1 port "))
        let line = try await eventually(within: 10, "the refusal is in the log") {
            packager.program.errors.split(separator: "\n").first { $0.contains("publisher refused") }
        }
        #expect(line.contains("peer=") && line.contains("input="))
        let status = try await HTTP.get("\(packager.control)/channels/live").text
        let metrics = try await HTTP.get("\(packager.control)/metrics").text
        for text in [event, status, metrics, packager.program.errors, packager.program.output] {
            for secret in ["secret-key", "secret-phrase", "wrong-guess"] { #expect(!text.contains(secret)) }
        }
        await packager.end()
    }
}
