import Foundation
import MediaCore
import PackagerConfig
import Testing

/// What `Config/packager.yaml` says is so.
@Suite struct ConfigurationFileTests {
    private let text: String

    init() throws {
        // Found beside this file, which a symbolic link to the tests does not change.
        let file = URL(filePath: #filePath).resolvingSymlinksInPath()
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        text = try String(contentsOf: root.appending(path: "Config/packager.yaml"), encoding: .utf8)
    }

    /// The value of a key, whether or not it is commented out: `  # state: /var/lib` is `/var/lib`.
    private func documentedValue(of key: ConfigurationKey) -> String? {
        for line in text.split(separator: "\n") {
            let line = line.drop { " -#".contains($0) }
            if line.hasPrefix("\(key.rawValue):") {
                return line.dropFirst(key.rawValue.count + 1).trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }

    @Test func asItStandsItIsTheDefaults() throws {
        #expect(try load(text) == Configuration.load(flags: ["input": ["udp://239.0.0.1:5000"]]))
    }

    @Test(arguments: ConfigurationKey.allCases)
    func everyKeyIsThereWithItsDefault(key: ConfigurationKey) throws {
        let value = try #require(documentedValue(of: key))
        if let defaultValue = key.defaultValue { #expect(value == defaultValue) }
    }

    @Test func whatIsCommentedOutIsRightToo() throws {
        let keys = ["audio", "captions", "  -", "key-secret", "output", "state"]
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
        #expect(channel.captions == [.init(channel: "CC1", language: "en", name: "English", isDefault: true)])
        #expect(channel.keySecret == .file("/etc/packager/master.key"))
        #expect(channel.output == "/srv/www/live")
        #expect(channel.state == "/var/lib/packager")
        #expect(configuration.warnings.isEmpty)
    }
}
