import Foundation
import TestSupport
import Testing

@testable import PackagerConfig

/// README.md and the guide in docs/ lead somewhere, name what is there, and can be read.
@Suite struct GuideTests {
    /// The flags of packager's commands that are no settings.
    private static let flagsOfCommands: Set = [
        "config", "channels", "help", "version", "running", "as-service", "duration", "against", "report", "seconds",
        "json", "new-name", "new-keys", "channel", "from", "to", "recipient", "clear",
    ]

    /// The flags of other programs in commands of the guide, with the program.
    private static let flagsOfOthers: [String: String] = [
        "now": "systemctl", "kill-whom": "systemctl", "filter": "swift test", "data-binary": "curl",
    ]

    private static func page(_ path: String) throws -> GuidePage {
        try GuidePage(at: Repository.root.appending(path: path))
    }

    @Test func allPagesAreFound() {
        #expect(GuidePage.paths.count > 15)
    }

    @Test(arguments: GuidePage.paths)
    func everyLinkLeadsToAFileAndAHeading(path: String) throws {
        let page = try Self.page(path)
        for link in page.links where !link.target.contains("://") {
            let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            let file =
                parts[0].isEmpty
                ? page.file
                : page.file.deletingLastPathComponent().appending(path: parts[0]).standardizedFileURL
            guard FileManager.default.fileExists(atPath: file.path) else {
                Issue.record("\(path):\(link.line): there is no \(link.target)")
                continue
            }
            guard parts.count == 2 else { continue }
            let anchors = try GuidePage(at: file).anchors
            #expect(anchors.contains(parts[1]), "\(path):\(link.line): \(link.target)")
        }
    }

    /// Each page can be reached from the index.
    @Test func theIndexHasAllPages() throws {
        let listed = Set(try Self.page("docs/README.md").links.map { "docs/\($0.target)" })
        for path in GuidePage.paths where path.hasPrefix("docs/") && path != "docs/README.md" {
            #expect(listed.contains(path))
        }
    }

    @Test func theReadMeIsShort() throws {
        let lines = try Self.page("README.md").text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 121, "with the end of the last line")
    }

    /// Not counted are tables, code and addresses.
    @Test(arguments: GuidePage.paths)
    func noLineIsLongerThan140Characters(path: String) throws {
        for line in try Self.page(path).lines where !line.text.drop(while: { $0 == " " }).hasPrefix("|") {
            let text = line.text.replacing(#/\]\([^)]*\)/#, with: "]").replacing(#/https?://\S+/#, with: "")
            #expect(text.count <= 140, "\(path):\(line.number)")
        }
    }

    @Test(arguments: GuidePage.paths)
    func everyFlagIsAFlag(path: String) throws {
        let known = Self.flagsOfCommands.union(Setting.flags.map(\.flag)).union(Self.flagsOfOthers.keys)
        for flag in try Self.page(path).flags.sorted() {
            #expect(known.contains(flag), "\(path): --\(flag)")
        }
    }

    @Test func aHeadingBecomesAnAnchorAsOnGitHub() {
        #expect(GuidePage.slug("What a pair needs: `--peer` (all)") == "what-a-pair-needs---peer-all")
    }

    @Test func flagsAreFoundInTextAndCommands() throws {
        #expect(try Self.page("README.md").flags.isSuperset(of: ["listen", "input", "segment-duration"]))
    }
}
