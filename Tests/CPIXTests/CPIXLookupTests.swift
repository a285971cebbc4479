import ContentProtection
import MediaCore
import Testing

@testable import CPIX

/// Which key is for whom, and when.
@Suite struct CPIXLookupTests {
    private let periods = CryptoPeriods(slotsPerPeriod: 2)
    private let slotDuration = MediaTime(seconds: 3)

    private static func key(_ number: UInt64) -> CPIXDocument.Key {
        .init(
            keyID: KeyID(Bytes16(high: 0, low: number)),
            scheme: .cbcs,
            value: ContentKey(Bytes16(high: 9, low: number))
        )
    }

    private func lookUp(_ document: CPIXDocument, _ index: Int64) throws -> [UInt64] {
        let period = CryptoPeriod(index)
        let start = periods.firstSlot(of: period).map { slotDuration * $0.value }
        return try document.keys(of: period, from: start, KeyClass.allCases).map(\.contentKey.secret.low)
    }

    @Test func periodsAreFoundByTimeAndElseByIndex() throws {
        var document = CPIXDocument(
            contentID: "live",
            keys: (1...4).map(Self.key),
            periods: [
                .init(id: "a", index: 1, start: MediaTime(seconds: 60), end: MediaTime(seconds: 66)),
                .init(id: "b", index: 2, start: MediaTime(seconds: 66), end: MediaTime(seconds: 72)),
            ],
            usageRules: [
                .init(keyID: Self.key(1).keyID, .video, in: "a"), .init(keyID: Self.key(2).keyID, .audio, in: "a"),
                .init(keyID: Self.key(3).keyID, .video, in: "b"), .init(keyID: Self.key(4).keyID, .audio, in: "b"),
            ]
        )
        #expect(try lookUp(document, 10) == [1, 2])
        #expect(try lookUp(document, 11) == [3, 4])
        #expect(throws: CPIXError.self) { try lookUp(document, 2) }
        document.periods = document.periods.map { .init(id: $0.id, index: $0.index) }
        #expect(try lookUp(document, 2) == [3, 4])
        let error = #expect(throws: CPIXError.self) { try lookUp(document, 12) }
        #expect(
            try #require(error).description.contains(
                "no key for video in crypto period 12, which begins at 1970-01-01T00:01:12"
            )
        )
    }

    @Test func aRuleWithoutPeriodHoldsForAll() throws {
        let document = CPIXDocument(
            contentID: nil,
            keys: (1...2).map(Self.key),
            periods: [],
            usageRules: [
                .init(keyID: Self.key(1).keyID, .video, in: nil), .init(keyID: Self.key(2).keyID, .audio, in: nil),
            ]
        )
        for index: Int64 in [-3, 0, 12] { #expect(try lookUp(document, index) == [1, 2]) }
    }

    @Test func whatIsAmbiguousIsRefused() throws {
        var document = CPIXDocument(
            contentID: nil,
            keys: (1...3).map(Self.key),
            periods: [],
            usageRules: (1...2).map { .init(keyID: Self.key($0).keyID, .video, in: nil) }
                + [.init(keyID: Self.key(3).keyID, .audio, in: nil)]
        )
        #expect(
            throws: CPIXError(
                "ContentKeyUsageRuleList",
                "it has 2 keys for video in crypto period 0, which begins at 1970-01-01T00:00:00.000Z; one is expected"
            )
        ) {
            try lookUp(document, 0)
        }
        document.usageRules = [
            .init(keyID: Self.key(1).keyID, trackType: "ALL", periodIDs: [], video: [.init()], audio: [.init()])
        ]
        let shared = #expect(throws: CPIXError.self) { try lookUp(document, 0) }
        #expect(try #require(shared).message.contains("video and audio have the same key"))
    }

    @Test func aFilterThatCannotBeAppliedMakesNoRuleUsable() throws {
        let text = CPIXDocumentTests.answer.replacing(
            "<c:AudioFilter maxChannels=\"2\"/>",
            with: "<c:LabelFilter label=\"x\"/>"
        )
        let document = try CPIXDocument(parsing: text.utf8)
        let error = #expect(throws: CPIXError.self) {
            try document.keys(of: CryptoPeriod(7), from: CPIXDocumentTests.start, [.video])
        }
        #expect(try #require(error).description.contains("LabelFilter"))
    }

    @Test func derivedKeysAreExported() throws {
        let secret = try #require(MasterSecret(Array(1...32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 2)
        let document = try CPIXDocument(
            contentID: "live",
            schedule,
            periods: (100...102 as ClosedRange<Int64>).map(CryptoPeriod.init),
            slotDuration: slotDuration,
            scheme: .cbcs
        )
        let read = try CPIXDocument(parsing: document.xml().utf8)
        for index: Int64 in 100...102 {
            let period = CryptoPeriod(index)
            let expected = try KeyClass.allCases.map { try schedule.keys(for: period, $0) }
            #expect(try read.keys(of: period, from: MediaTime(seconds: 6 * index), KeyClass.allCases) == expected)
        }
    }

    @Test func aKeyThatNeverChangesHasNoPeriod() throws {
        let secret = try #require(MasterSecret(Array(1...32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil)
        let document = try CPIXDocument(
            contentID: "live",
            schedule,
            periods: [CryptoPeriod(0)],
            slotDuration: slotDuration,
            scheme: .cenc
        )
        #expect(document.periods == [])
        #expect(
            try document.keys(of: CryptoPeriod(0), from: nil, [.video]) == [schedule.keys(for: CryptoPeriod(0), .video)]
        )
    }
}
