import Foundation
import Operations
import TestSupport
import Testing

/// The guide's page about the control API has what the program has.
@Suite struct GuideTests {
    private static func rows(of page: String) throws -> [[String]] {
        let text = try String(contentsOf: Repository.root.appending(path: page), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test(arguments: ChannelEvent.Kind.allCases)
    func aKindOfEventsHasARow(kind: ChannelEvent.Kind) throws {
        let rows = try Self.rows(of: "docs/control-api.md").filter { $0[0].contains("`\(kind.rawValue)`") }
        #expect(rows.contains { $0.count > 1 && $0[1] == kind.usualSeverity.rawValue })
    }
}
