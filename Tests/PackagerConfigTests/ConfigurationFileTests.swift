import Foundation
import MediaCore
import Testing

@testable import PackagerConfig

/// The defaults and names in `Config/packager.yaml` are those of the program.
@Suite struct ConfigurationFileTests {
    private let file: URL
    private let text: String

    init() throws {
        // Found beside this file, which a symbolic link to the tests does not change.
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        file = root.appending(path: "Config/packager.yaml")
        text = try String(contentsOf: file, encoding: .utf8)
    }

    /// With UPDATE_DOCUMENTS=1 in the environment it is written anew.
    @Test func sampleFileMatchesTheDeclaredSettings() throws {
        if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTS"] == "1" {
            try SettingDocument.text.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(text == SettingDocument.text, "run this test with UPDATE_DOCUMENTS=1 and look at the difference")
        }
    }

    @Test func sampleFileLoadsAsTheDefaults() throws {
        #expect(try load(text) == Configuration.load(flags: ["input": ["udp://239.0.0.1:5000"]]))
    }

    /// The other sample files load without warnings.
    @Test func otherSampleFilesLoadWithoutWarnings() throws {
        let directory = file.deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".yaml") && $0 != file.lastPathComponent }
        #expect(names.contains("low-latency.yaml"))
        for name in names {
            let text = try String(contentsOf: directory.appending(path: name), encoding: .utf8)
            let configuration = try Configuration.load(file: ConfigurationFile(name: name, text: text))
            #expect(configuration.warnings.isEmpty, "\(configuration.warnings)")
        }
        let text = try String(contentsOf: directory.appending(path: "low-latency.yaml"), encoding: .utf8)
        #expect(try load(text).channels.map(\.partTarget) == [MediaTime(milliseconds: 500)])
    }

    @Test func commentedOutSettingsAreValid() throws {
        let keys = [
            "audio:", "subtitles:", "captions:", "interstitials:", "ads:", "session-data:", "  -", "key-secret:",
            "output:", "state:", "steering:", "push:",
        ]
        let uncommented = text.split(separator: "\n").map { line in
            keys.contains { line.hasPrefix("    # \($0)") } ? "    \(line.dropFirst(6))" : String(line)
        }
        let configuration = try load(uncommented.joined(separator: "\n"))
        let channel = try #require(configuration.channels.first)
        #expect(
            channel.audio == [
                .init(language: "en", name: "English", isDefault: true),
                .init(
                    language: "en",
                    name: "Description",
                    characteristics: ["public.accessibility.describes-video"]
                ),
                .init(language: "de", name: "Deutsch", isAutoselect: false),
            ]
        )
        #expect(channel.text.subtitles.map(\.source) == ["captions.vtt", "https://captions.example.com/de.ttml", nil])
        #expect(channel.text.captions == [.init(channel: "CC1", language: "en", name: "English", isDefault: true)])
        #expect(channel.interstitials.map(\.kinds) == [[.breakSegment], []])
        #expect(channel.sessionData.map(\.id) == ["com.example.title", "com.example.chapters"])
        #expect(channel.ads.source == .files("ads"))
        #expect(channel.keySecret == .file("/etc/packager/master.key"))
        #expect(channel.output == "/srv/www/live")
        #expect(channel.state == "/var/lib/packager")
        #expect(channel.pathways.map(\.id) == ["cdn-a", "cdn-b"])
        #expect(channel.push.count == 2)
        // Ads that the origin fills, and files.
        #expect(configuration.warnings.map { $0.description.contains("only the origin answers") } == [true])
    }
}
