import Foundation
import Operations
import TestSupport
import Testing

@testable import Control

/// The guide's table of metrics has what the program has.
@Suite struct GuideTests {
    private static let page = "docs/operating.md"

    /// All families, those included that have no sample here.
    private static var families: Set<String> {
        var origin = Fixture.origin
        origin.keys = OriginStatus.Keys(granted: 0, refused: [:])
        let metrics = Metrics(
            version: "1.0",
            channels: [Fixture.live],
            totals: [:],
            origin: origin,
            events: [:],
            archive: EventArchiveHealth(problem: nil, unkept: 0, bytes: 0)
        )
        return Set(metrics.families.map(\.name))
    }

    private static func rows() throws -> [GuideTable.Row] {
        try GuideTable.all(in: page).filter { $0.columns.first == "metric" }.flatMap(\.rows)
    }

    @Test func everyMetricHasARow() throws {
        let listed = Set(try Self.rows().flatMap { GuideTable.codes(in: $0[0]) })
        #expect(Self.families.count > 40)
        for name in Self.families.subtracting(listed).sorted() {
            Issue.record("\(name) of Control/Metrics/Metrics.swift has no row in \(Self.page)")
        }
    }

    @Test func everyRowIsAMetric() throws {
        for row in try Self.rows() {
            for name in GuideTable.codes(in: row[0]) where !Self.families.contains(name) {
                Issue.record("\(Self.page):\(row.line): there is no \(name)")
            }
        }
    }
}
