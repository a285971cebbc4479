import Foundation
import TestSupport
import Testing

@testable import PackagerConfig

/// `docs/settings.md` is what the settings declare.
@Suite struct SettingsPageTests {
    private let file = Repository.root.appending(path: "docs/settings.md")

    /// With UPDATE_DOCUMENTS=1 in the environment it is written anew.
    @Test func thePageIsWhatTheSettingsDeclare() throws {
        let text = SettingsPage.text
        if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTS"] == "1" {
            return try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let page = try String(contentsOf: file, encoding: .utf8)
        if page == text { return }
        let (old, new) = (page.split(separator: "\n"), text.split(separator: "\n"))
        let same = zip(old, new).prefix { $0 == $1 }.count
        Issue.record(
            """
            docs/settings.md is not what the settings declare; run this test with UPDATE_DOCUMENTS=1.
            - \(old.dropFirst(same).first ?? "")
            + \(new.dropFirst(same).first ?? "")
            """
        )
    }

    @Test func everySettingHasOneRow() {
        let rows = GuideTable.tables(in: SettingsPage.text).filter { $0.columns.first == "setting" }.flatMap(\.rows)
        let names = (Setting.ofProcess + Setting.ofChannel).map { "`\($0.name)`" }
        #expect(rows.map { $0[0] }.sorted() == names.sorted())
        for row in rows {
            #expect(row.cells.count == 7 && row.cells.allSatisfy { !$0.isEmpty }, "\(row.cells)")
        }
    }

    @Test func unitsLimitsAndChangesAreThere() throws {
        let rows = GuideTable.tables(in: SettingsPage.text).flatMap(\.rows)
        func cells(_ name: String) throws -> [String] { try #require(rows.first { $0[0] == "`\(name)`" }).cells }
        let duration = ["`--segment-duration`", "`PACKAGER_SEGMENT_DURATION`", "1 to 30 seconds", "`4`", "new stream"]
        #expect(try Array(cells("segment-duration")[1...5]) == duration)
        #expect(try Array(cells("listen")[3...5]) == ["host:port", "`127.0.0.1:8080`", "restart"])
        #expect(try cells("realtime")[1] == "`--no-realtime`")
        let captions = ["–", "–", "list of mappings with [fields](#fields-of-captions)"]
        #expect(try Array(cells("captions")[1...3]) == captions)
        #expect(try cells("webhooks")[5] == "reload")
    }
}
