import Foundation
import TestSupport
import Testing

/// CHANGELOG.md has the form of Keep a Changelog 1.1.0, and its newest release is the version of the program.
@Suite struct ChangelogTests {
    private static let groups = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]

    private struct Release {
        var heading: String
        var groups: [(name: String, entries: Int)] = []
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    private static func releases() throws -> [Release] {
        var releases: [Release] = []
        for line in try text("CHANGELOG.md").split(separator: "\n") {
            if line.hasPrefix("## ") {
                releases.append(Release(heading: String(line.dropFirst(3))))
            } else if line.hasPrefix("### "), !releases.isEmpty {
                releases[releases.count - 1].groups.append((String(line.dropFirst(4)), 0))
            } else if line.hasPrefix("- "), let release = releases.indices.last, !releases[release].groups.isEmpty {
                releases[release].groups[releases[release].groups.count - 1].entries += 1
            }
        }
        return releases
    }

    /// Major, minor and patch of a heading `[0.3.0] - 2026-11-27`, and its date; nil for any other text.
    private static func version(of heading: String) -> (numbers: [Int], date: String)? {
        guard let match = heading.wholeMatch(of: #/\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d{2}-\d{2})/#) else { return nil }
        let numbers = [match.output.1, match.output.2, match.output.3].compactMap { Int($0) }
        return (numbers, String(match.output.4))
    }

    @Test func releasesAreInOrderBelowWhatIsNotReleased() throws {
        let releases = try Self.releases()
        #expect(releases.first?.heading == "[Unreleased]")
        let versions = try releases.dropFirst().map { try #require(Self.version(of: $0.heading), "\($0.heading)") }
        #expect(!versions.isEmpty)
        for (newer, older) in zip(versions, versions.dropFirst()) {
            #expect(older.numbers.lexicographicallyPrecedes(newer.numbers))
            #expect(older.date <= newer.date)
        }
    }

    @Test func eachReleaseHasTheSixGroupsAtMostAndNoEmptyOne() throws {
        for release in try Self.releases() {
            let names = release.groups.map(\.name)
            #expect(names == Self.groups.filter(names.contains), "\(release.heading): \(names)")
            for group in release.groups { #expect(group.entries > 0, "\(release.heading): \(group.name)") }
            if release.heading != "[Unreleased]" { #expect(!names.isEmpty, "\(release.heading)") }
        }
    }

    @Test func newestReleaseIsTheVersionOfTheProgram() throws {
        let newest = try #require(try Self.releases().lazy.compactMap { Self.version(of: $0.heading) }.first)
        let source = try Self.text("Sources/packager/Commands/Version.swift")
        let number = try #require(source.firstMatch(of: #/static let number = "([^"]*)"/#)?.output.1)
        #expect(number == newest.numbers.map(String.init).joined(separator: "."))
    }

    @Test func noLineIsLongerThan140Characters() throws {
        let lines = try Self.text("CHANGELOG.md").split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() { #expect(line.count <= 140, "CHANGELOG.md:\(index + 1)") }
    }
}
