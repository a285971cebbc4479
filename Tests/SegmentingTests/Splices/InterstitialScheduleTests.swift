import MediaCore
import Playlists
import SCTE35
import Testing

@testable import Segmenting

/// The interstitials that replace breaks (RFC 8216bis Appendix D).
@Suite struct InterstitialScheduleTests {
    private static let id = "7-20270115T080008Z"

    private static func schedule(
        _ change: (inout InterstitialTemplate) throws -> Void = { _ in }
    ) throws -> InterstitialSchedule {
        var template = InterstitialTemplate()
        try change(&template)
        return InterstitialSchedule(
            channel: "live",
            templates: [template],
            advertisements: AdvertisementKind.usual
        )
    }

    /// All that is told of a break by a feed, slot by slot.
    private static func tags(_ schedule: InterstitialSchedule, _ sections: SpliceInfoSection...) throws -> [DateRange] {
        var (schedule, fixture) = (schedule, SpliceFixture())
        for section in sections { try fixture.hear(section) }
        return (0..<12).flatMap { _ in schedule.beside(fixture.tell()).all }.filter { $0.className != nil }
    }

    @Test func aBreakHasAnInterstitialBesideIt() throws {
        let tags = try Self.tags(
            try Self.schedule(),
            SpliceFixture.out(7, at: 8, lasting: 20),
            SpliceFixture.back(7, at: 28)
        )
        #expect(
            tags.map(\.text) == [
                #"ID="7-20270115T080008Z-ad",CLASS="com.apple.hls.interstitial",START-DATE="2027-01-15T08:00:08.000Z","#
                    + #"PLANNED-DURATION=20.000,X-ASSET-LIST="ads/7-20270115T080008Z-ad.json?event-id=7&type=&upid="#
                    + #"&_HLS_interstitial_id=7-20270115T080008Z-ad",X-SNAP="OUT,IN""#,
                #"ID="7-20270115T080008Z-ad",CLASS="com.apple.hls.interstitial",START-DATE="2027-01-15T08:00:08.000Z","#
                    + #"DURATION=20.000,X-RESUME-OFFSET=20,X-PLAYOUT-LIMIT=20"#,
            ]
        )
        #expect(tags.problems.isEmpty)
    }

    /// A break that returns by itself has its resume offset from the start on.
    @Test func anEndThatIsCertainIsSaidAtOnce() throws {
        let tags = try Self.tags(try Self.schedule(), SpliceFixture.out(7, at: 8, lasting: 20, returns: true))
        #expect(tags.count == 2 && tags.problems.isEmpty)
        #expect(tags[0][custom: "X-RESUME-OFFSET"] == .number("20"))
        #expect(tags[1].custom == [.init(name: "X-PLAYOUT-LIMIT", value: .number("20"))])
    }

    private static let offset = "X-RESUME-OFFSET"
    private static let limit = "X-PLAYOUT-LIMIT"

    /// A limit brings players back from a break that ends early: no attribute that was told before is altered.
    @Test(
        arguments: [
            (InterstitialTemplate.Resumption.live, [offset, limit]), (.duration, [limit]), (.after(.zero), []),
        ]
    )
    func anEarlyReturnEndsIt(resumption: InterstitialTemplate.Resumption, names: [String]) throws {
        let tags = try Self.tags(
            try Self.schedule { $0.resumption = resumption },
            SpliceFixture.out(7, at: 8, lasting: 20),
            SpliceFixture.back(7, at: 20)
        )
        #expect(tags.count == 2 && tags.problems.isEmpty)
        #expect(tags[1].duration == MediaTime(seconds: 12))
        #expect(tags[1].custom == names.map { .init(name: $0, value: .number("12")) })
    }

    @Test func interstitialHasAllConfiguredAttributes() throws {
        let address = "https://ads.example.com/{channel}/{event-id}?d={duration}&t={type}&u={upid}&s={start}&i={id}"
        let schedule = try Self.schedule { template in
            template.assetList = try AddressTemplate(address)
            template.resumption = .duration
            template.playoutLimit = MediaTime(seconds: 15)
            template.snap = [.back]
            template.restrictions = [.skip, .jump]
            template.isOnce = true
            template.contentMayVary = false
            template.occupancy = .range
            template.style = .primary
            (template.skipOffset, template.skipDuration, template.skipLabel) = (5, 10, "go-on")
            template.preload = MediaTime(seconds: 6)
        }
        var details = SegmentationDescriptor.Details(
            type: SegmentationType(rawValue: 0x30),
            duration: 15 * 90_000 + 45_000
        )
        details.upid = SegmentationUPID(type: 0x0F, bytes: Array("urn:spot?1".utf8))
        let descriptor = SpliceDescriptor.segmentation(SegmentationDescriptor(eventID: 9, details: details))
        let section = SpliceInfoSection(.timeSignal(SpliceFixture.timestamp(8)), [descriptor])
        let tags = try Self.tags(schedule, section)
        let url =
            "https://ads.example.com/live/9?d=15.5&t=30&u=urn%3Aspot%3F1&s=2027-01-15T08%3A00%3A08.000Z"
            + "&i=9-30-20270115T080008Z-ad&_HLS_interstitial_id=9-30-20270115T080008Z-ad"
        #expect(
            tags.prefix(2).map(\.text) == [
                #"ID="9-30-20270115T080008Z-ad-preload",CLASS="com.apple.hls.preload","#
                    + #"START-DATE="2027-01-15T08:00:02.000Z",DURATION=6.000,X-URI="\#(url)","#
                    + #"X-TARGET-ID="9-30-20270115T080008Z-ad",X-TARGET-CLASS="com.apple.hls.interstitial""#,
                #"ID="9-30-20270115T080008Z-ad",CLASS="com.apple.hls.interstitial","#
                    + #"START-DATE="2027-01-15T08:00:08.000Z",CUE="ONCE",PLANNED-DURATION=15.500,"#
                    + #"X-ASSET-LIST="\#(url)",X-RESUME-OFFSET=15.5,X-PLAYOUT-LIMIT=15,X-SNAP="IN","#
                    + #"X-RESTRICT="SKIP,JUMP",X-CONTENT-MAY-VARY="NO",X-TIMELINE-OCCUPIES="RANGE","#
                    + #"X-TIMELINE-STYLE="PRIMARY",X-SKIP-CONTROL-OFFSET=5,X-SKIP-CONTROL-DURATION=10,"#
                    + #"X-SKIP-CONTROL-LABEL-ID="go-on""#,
            ]
        )
        // Over after twice its planned length, which alters no limit.
        #expect(tags.problems.isEmpty)
        #expect(tags.last?.custom.isEmpty == true)
    }

    @Test func anAssetMayStandForAList() throws {
        let schedule = try Self.schedule { $0.asset = try AddressTemplate("https://ads.example.com/slate.m3u8") }
        let tag = try #require(try Self.tags(schedule, SpliceFixture.out(7, at: 8)).first)
        let url = "https://ads.example.com/slate.m3u8?_HLS_interstitial_id=\(Self.id)-ad"
        #expect(tag[custom: "X-ASSET-URI"] == .string(url) && tag[custom: "X-ASSET-LIST"] == nil)
        #expect(tag.plannedDuration == nil)
    }

    /// Splices that are no advertisement, that last no time, and that are only commands have none.
    @Test func otherSplicesHaveNoInterstitial() throws {
        let schedule = try Self.schedule()
        #expect(try Self.tags(schedule, SpliceFixture.signal(7, 0x20, at: 8)).isEmpty)
        #expect(try Self.tags(schedule, SpliceFixture.out(7, at: 8, lasting: 0, returns: true)).isEmpty)
        #expect(try Self.tags(schedule, SpliceFixture.signal(7, 0x01, at: 8)).isEmpty)
        let chapters = try Self.schedule { $0.kinds = [.chapter] }
        #expect(try Self.tags(chapters, SpliceFixture.signal(7, 0x20, at: 8)).count == 1)
        #expect(try Self.tags(chapters, SpliceFixture.out(7, at: 8)).isEmpty)
    }

    /// A packager that continues with interstitials of others ends them, whatever its own configuration.
    @Test func restoredScheduleContinuesInterstitials() throws {
        var (fixture, whole) = (SpliceFixture(), try Self.schedule { $0.resumption = .duration })
        try fixture.hear(SpliceFixture.out(7, at: 8, lasting: 8, returns: true))
        try fixture.hear(SpliceFixture.out(8, at: 20, lasting: 8, returns: true))
        let slots = (0..<8).map { _ in fixture.tell() }
        let lines = slots.map { whole.beside($0) }
        #expect(lines.flatMap(\.all).count == 8)
        for split in 1..<slots.count {
            let told = lines[..<split].flatMap(\.all)
            var restarted = try Self.schedule { $0.resumption = .duration }
            restarted.restore(told)
            #expect(slots[split...].map { restarted.beside($0) } == Array(lines[split...]))
            var bare = InterstitialSchedule(channel: "live", templates: [], advertisements: [])
            bare.restore(told)
            let open = told.filter { $0.isInterstitial && $0.duration == nil }.count
            let over = told.filter { $0.isInterstitial && $0.duration != nil }.count
            #expect(slots[split...].flatMap { bare.beside($0).all }.filter(\.isInterstitial).count == open - over)
        }
    }

    @Test func twoHundredBreaksAreToldInTheirOrder() throws {
        var (fixture, schedule) = (SpliceFixture(), try Self.schedule())
        for event in 0..<200 {
            let start = 8 + Double(event) * 8
            try fixture.hear(SpliceFixture.out(UInt32(event), at: start, lasting: 4, returns: true), at: start - 6)
        }
        let tags = (0..<500).flatMap { _ in schedule.beside(fixture.tell()).all }
        #expect(tags.problems.isEmpty)
        #expect(tags.filter(\.isInterstitial).count == 400)
        #expect(tags.compactMap(\.start) == tags.compactMap(\.start).sorted())
    }
}
