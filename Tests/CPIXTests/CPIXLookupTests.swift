import ContentProtection
import MediaCore
import Testing

@testable import CPIX

/// The keys of a document for tracks and periods.
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
        return try document.keys(of: period, from: start, KeyClasses().all).map(\.contentKey.secret.low)
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
            let expected = try KeyClasses().all.map { try schedule.keys(for: period, $0) }
            #expect(try read.keys(of: period, from: MediaTime(seconds: 6 * index), KeyClasses().all) == expected)
        }
    }

    // MARK: Classes of video

    private static func rule(
        _ number: UInt64,
        _ type: String?,
        _ filters: CPIXDocument.VideoFilter...
    ) -> CPIXDocument.UsageRule {
        .init(keyID: key(number).keyID, trackType: type, periodIDs: [], video: filters)
    }

    private static func filter(_ min: Int64?, _ max: Int64?, hdr: Bool? = nil) -> CPIXDocument.VideoFilter {
        var filter = CPIXDocument.VideoFilter()
        (filter.minPixels, filter.maxPixels, filter.isHDR) = (min, max, hdr)
        return filter
    }

    /// The key of a document for each class, by its last digit.
    private func lookUp(_ rules: [CPIXDocument.UsageRule], _ apart: [VideoClass]) throws -> [KeyClass: UInt64] {
        let classes = KeyClasses(apart: apart)
        let document = CPIXDocument(contentID: nil, keys: (1...9).map(Self.key), periods: [], usageRules: rules)
        let keys = try document.keys(of: CryptoPeriod(0), from: nil, classes.all, of: classes)
        return Dictionary(uniqueKeysWithValues: keys.map { ($0.keyClass, $0.contentKey.secret.low) })
    }

    @Test func rulesChooseAKeyByPixels() throws {
        let audio = CPIXDocument.UsageRule(keyID: Self.key(9).keyID, .audio, in: nil)
        // The limits of AWS, and those of Widevine.
        for largest: Int64 in [1024 * 576, 768 * 576] {
            let rules = [
                Self.rule(1, "SD", Self.filter(nil, largest)),
                Self.rule(2, "HD", Self.filter(largest + 1, 1920 * 1080)),
                Self.rule(3, "UHD1", Self.filter(1920 * 1080 + 1, 4096 * 2160)),
                Self.rule(4, "UHD2", Self.filter(4096 * 2160 + 1, nil)), audio,
            ]
            #expect(try lookUp(rules, [.sd, .hd, .uhd]) == [.sd: 1, .hd: 2, .uhd: 3, .audio: 9])
        }
        let dynamic = [
            Self.rule(1, nil, Self.filter(nil, 1920 * 1080, hdr: false)),
            Self.rule(2, nil, Self.filter(1920 * 1080 + 1, nil, hdr: false)),
            Self.rule(3, nil, Self.filter(nil, nil, hdr: true)), audio,
        ]
        #expect(try lookUp(dynamic, [.uhd, .hdr]) == [.video: 1, .uhd: 2, .hdr: 3, .audio: 9])
        // Several filters of one rule are alternatives (CPIX 2.4 § 7.4.17).
        let two = Self.rule(1, "SD+HD", Self.filter(nil, 1024 * 576), Self.filter(1024 * 576 + 1, 1920 * 1080))
        #expect(
            try lookUp([two, Self.rule(2, nil, Self.filter(1920 * 1080 + 1, nil)), audio], [.uhd]) == [
                .video: 1, .uhd: 2, .audio: 9,
            ]
        )
    }

    @Test func rulesWithoutFiltersGoByTheirTrackType() throws {
        let types: [(String, UInt64)] = [("SD", 1), ("HD", 2), ("UHD1", 3), ("AUDIO", 9)]
        let rules = types.map { Self.rule($1, $0) }
        #expect(try lookUp(rules, [.sd, .hd, .uhd]) == [.sd: 1, .hd: 2, .uhd: 3, .audio: 9])
    }

    @Test func keysThatTheChannelDoesNotTellApartAreRefusedWithARemedy() throws {
        let rules = [
            Self.rule(1, "SD", Self.filter(nil, 1024 * 576)), Self.rule(2, "HD", Self.filter(1024 * 576 + 1, nil)),
        ]
        let error = #expect(throws: CPIXError.self) { try lookUp(rules, []) }
        let message = try #require(error).message
        #expect(
            message == "it has 2 keys for video in crypto period 0; one is expected; key-classes can tell them apart"
        )
        let nonsense = Self.rule(1, nil, Self.filter(.max, .min))
        #expect(throws: CPIXError.self) { try lookUp([nonsense], [.sd]) }
    }

    @Test(arguments: [[], [.uhd], [.hdr], [.sd, .hd, .uhd], VideoClass.allCases] as [[VideoClass]])
    func whatIsExportedIsReadByClass(apart: [VideoClass]) throws {
        let secret = try #require(MasterSecret(Array(1...32)))
        let classes = KeyClasses(apart: apart)
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 2, classes: classes)
        let period = CryptoPeriod(100)
        let document = try CPIXDocument(
            contentID: "live",
            schedule,
            periods: [period],
            slotDuration: slotDuration,
            scheme: .cbcs
        )
        let read = try CPIXDocument(parsing: document.xml().utf8)
        #expect(read.usageRules.map(\.trackType) == classes.all.map { $0.rawValue.uppercased() })
        let expected = try classes.all.map { try schedule.keys(for: period, $0) }
        #expect(Set(expected.map(\.contentKey)).count == classes.all.count)
        #expect(try read.keys(of: period, from: MediaTime(seconds: 600), classes.all, of: classes) == expected)
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
