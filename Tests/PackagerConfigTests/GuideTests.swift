import Foundation
import TestSupport
import Testing

@testable import PackagerConfig

/// README.md and the guide in docs/ lead somewhere, name what is there, and can be read.
@Suite struct GuideTests {
    /// The flags of packager's commands that are no settings.
    private static let flagsOfCommands: Set = [
        "config", "channels", "help", "version", "running", "as-service", "duration", "against", "report", "seconds",
        "json", "new-name", "new-keys", "channel", "from", "to", "recipient", "clear", "image", "group-size", "keep",
        "namespace", "gateway", "ingress-class", "host", "service-type", "feed-service-type", "storage", "cpu",
        "memory", "no-service-monitor", "title", "keys", "recording", "breaks", "form", "rendition",
    ]

    /// The flags of other programs in commands of the guide, with the program.
    private static let flagsOfOthers: [String: String] = [
        "now": "systemctl", "kill-whom": "systemctl", "filter": "swift test", "data-binary": "curl",
        "filename": "kubectl", "server-side": "kubectl",
    ]

    /// The names of the files below `Tests`.
    private static let testFiles: Set<String> = {
        let tests = Repository.root.appending(path: "Tests").path
        let paths = FileManager.default.enumerator(atPath: tests)?.compactMap { $0 as? String } ?? []
        return Set(paths.map { URL(filePath: $0).lastPathComponent })
    }()

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

    /// Each block says how a test deals with it, and names a file that is there where another test runs it.
    @Test(arguments: GuidePage.paths)
    func everyBlockIsMarked(path: String) throws {
        for block in try Self.page(path).blocks where !block.isOutput {
            switch block.mark {
            case nil: Issue.record("\(path):\(block.line): no mark, or one that docs/contributing.md does not have")
            case .runBy(let file): #expect(Self.testFiles.contains(file), "\(path):\(block.line): \(file)")
            default: break
            }
        }
    }

    @Test(arguments: GuidePage.paths)
    func everyTargetOfMakeIsInTheMakefile(path: String) throws {
        let makefile = try String(contentsOf: Repository.root.appending(path: "Makefile"), encoding: .utf8)
        let lines = makefile.split(separator: "\n")
        let names = lines.first { $0.hasPrefix("TEST_GROUPS :=") } ?? ""
        let groups = names.split { !$0.isLetter && $0 != "-" }
        for target in try Self.page(path).makeTargets.sorted() {
            let isRule = lines.contains { line in
                line.first?.isLetter == true
                    && line.prefix { $0 != ":" }.split(separator: " ").contains { $0 == target }
            }
            let isGroup = groups.contains { "test-\($0)" == target }
            #expect(isRule || isGroup, "\(path): make \(target)")
        }
    }

    @Test func aMarkIsReadAndAnswersNeedNone() throws {
        let text = """
            1. Start it:

               <!-- run: serves -->

                   packager --input a.ts \\
                       --loop

            ```yaml
            webhooks: []
            ```

            <!-- run: whenever it suits -->

                curl a
            """
        let blocks = GuideBlock.blocks(of: text)
        #expect(blocks.map(\.mark) == [.serves, nil, nil] && blocks.map(\.line) == [5, 9, 14])
        #expect(blocks[0].commands == ["packager --input a.ts \\\n    --loop"])
        #expect(GuideBlock.blocks(of: "    HTTP/1.1 200 OK").map(\.isOutput) == [true])
    }

    @Test func aHeadingBecomesAnAnchorAsOnGitHub() {
        #expect(GuidePage.slug("What a pair needs: `--peer` (all)") == "what-a-pair-needs---peer-all")
    }

    @Test func flagsAreFoundInTextAndCommands() throws {
        #expect(try Self.page("README.md").flags.isSuperset(of: ["listen", "input", "segment-duration"]))
    }
}
