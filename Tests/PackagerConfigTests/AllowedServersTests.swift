import Testing

@testable import PackagerConfig

/// Where subtitles may be redirected to.
@Suite struct AllowedServersTests {
    /// The subtitles of the channel `x`, which the control API has given a source.
    private static func subtitles(
        _ source: String,
        allowing entries: [String],
        file: String = ""
    ) throws -> [SubtitleDescription] {
        var overlay = ChannelOverlay()
        overlay.put(try ChannelDocument(name: "x", text: "subtitles: [{language: en, source: \"\(source)\"}]"))
        let list = entries.map { "  - \"\($0)\"\n" }.joined()
        let yaml = "api-allow:\n\(list)channels:\n  - {name: a, input: 'udp://h:1'}\n\(file)"
        let texts = ConfigurationTexts(
            file: ConfigurationFile(name: "packager.yaml", text: yaml),
            overlay: overlay,
            overlayName: "packager.channels.yaml"
        )
        let reading = try Configuration.read(flags: [:], environment: [:], texts: texts, needsInput: false)
        let isForbidden = reading.problems.contains { $0.isForbidden }
        #expect(!isForbidden, "\(reading.problems)")
        return reading.configuration.channels.first { $0.name == "x" }?.text.subtitles ?? []
    }

    @Test(arguments: ["https://h/live/en.vtt", "https://h/live/"])
    func theControlAPIIsNotLedBeyondWhatItMayName(source: String) throws {
        let subtitles = try Self.subtitles(source, allowing: ["/srv", "https://h/live", "http://cdn:8080"])
        let redirects = try #require(subtitles.first?.redirects)
        for url in ["https://h/live/de.vtt?x=1", "https://H:443/live", "http://cdn:8080/a/b.vtt"] {
            #expect(redirects.includes(url), "\(url)")
        }
        for url in [
            "https://h/other", "http://h/live/en.vtt", "https://h/live/../other", "https://h/live/%2e%2e/other",
            "http://cdn/a", "http://user@cdn:8080/a", "http://169.254.169.254/latest", "http://127.0.0.1:8081/",
            "file:///srv/a.vtt", "/srv/a.vtt", "",
        ] {
            #expect(!redirects.includes(url), "\(url)")
        }
    }

    /// Its author trusts the server.
    @Test func whatTheFileNamesMayBeRedirected() throws {
        let source = "https://h/live/en.vtt"
        let file = "  - {name: x, subtitles: [{language: en, source: '\(source)'}]}\n"
        let subtitles = try Self.subtitles(source, allowing: ["/srv"], file: file)
        #expect(subtitles.count == 1 && subtitles.first?.redirects == nil)
    }
}
