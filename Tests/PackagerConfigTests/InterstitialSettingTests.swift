import MediaCore
import PackagerConfig
import Testing

/// The interstitials that players play in place of breaks, as operators declare them.
@Suite struct InterstitialSettingTests {
    @Test func aFileSaysAllAndAFlagTheMostUsual() throws {
        let yaml = """
            input: a.ts
            interstitials:
              - { kinds: [break, splice-insert], asset-list: "https://ads.example.com/{event-id}?d={duration}", restrict: skip }
              - { asset: "https://ads.example.com/slate.m3u8", resume-offset: 0, playout-limit: 30, snap: [in], once: true,
                  content-may-vary: false, timeline-occupies: range, timeline-style: primary, skip-offset: 5,
                  skip-duration: 10, skip-label: go-on, preload: 2.5 }
            """
        let templates = try load(yaml).channels[0].interstitials
        var first = InterstitialTemplate()
        first.kinds = [.breakSegment, .spliceInsert]
        first.assetList = try AddressTemplate("https://ads.example.com/{event-id}?d={duration}")
        first.restrictions = [.skip]
        #expect(templates.first == first)
        var second = InterstitialTemplate()
        second.asset = try AddressTemplate("https://ads.example.com/slate.m3u8")
        (second.resumption, second.playoutLimit) = (.after(.zero), MediaTime(seconds: 30))
        (second.isOnce, second.contentMayVary, second.occupancy, second.style) = (true, false, .range, .primary)
        (second.skipOffset, second.skipDuration, second.skipLabel) = (5, 10, "go-on")
        second.preload = MediaTime(milliseconds: 2500)
        second.snap = [.back]
        #expect(templates.last == second)
        let flags = ["input": ["a.ts"], "interstitials": ["https://ads.example.com/{id}"]]
        let given = try Configuration.load(flags: flags, environment: [:], file: nil).channels[0]
        #expect(given.interstitials.map(\.assetList?.text) == ["https://ads.example.com/{id}"])
    }

    @Test(arguments: [
        ("files:spots/today", AdSourceLocation.files("spots/today")),
        ("command:/usr/bin/ads --fast", .command(["/usr/bin/ads", "--fast"])),
        (
            "vast:https://ads.example.com/vast?d={duration}",
            .server(try! AddressTemplate("https://ads.example.com/vast?d={duration}"))
        ),
    ])
    func whoFillsBreaksMakesAnInterstitialOfEach(text: String, location: AdSourceLocation) throws {
        let channel = try load("input: a.ts\nads: \"\(text)\"").channels[0]
        #expect(channel.ads.source == location)
        #expect(channel.interstitials == [InterstitialTemplate()])
        #expect(try load("input: a.ts").channels[0].interstitials.isEmpty)
    }

    /// Addresses contain the channel's name, and a setting for all channels is written once.
    @Test func theyMayBeOfAllChannels() throws {
        let channels =
            "channels: [{ name: a, input: a.ts }, { name: b, input: b.ts, interstitials: [], session-data: [] }]\n"
        let common = """
            interstitials: [{ asset: "https://ads.example.com/{channel}" }]
            session-data: [{ id: com.example.house, value: Example }]
            """
        let configuration = try load(channels + common)
        #expect(configuration.channels.map(\.interstitials.count) == [1, 0])
        #expect(configuration.channels.map(\.sessionData.count) == [1, 0])
        let file = ConfigurationFile(name: "packager.yaml", text: channels)
        let flags = ["interstitials": ["https://ads.example.com/{channel}"]]
        #expect(try Configuration.load(flags: flags, file: file).channels.map(\.interstitials.count) == [1, 1])
    }

    /// A warning at start says that the files of `--output` name resources that only the origin has.
    @Test func filesThatNameTheOriginAreAWarning() throws {
        func warnings(_ lines: String) throws -> [String] {
            try load("input: a.ts\noutput: out\n\(lines)").warnings.map(\.description)
        }
        #expect(try warnings("ads: files:spots").map { $0.contains("only the origin answers") } == [true])
        #expect(try warnings("interstitials: [{ asset-list: \"https://ads.example.com/{id}\" }]").isEmpty)
        #expect(try warnings("").isEmpty)
    }

    @Test(arguments: [
        ("interstitials: [{ asset-list: ads.json }]", "is not the URL of a server"),
        ("interstitials: [{ asset-list: \"https://a/{viewer}\" }]", "'{viewer}' is not a property of a break"),
        ("interstitials: [{ asset-list: \"https://a/{id\" }]", "'{id' is not a property"),
        ("interstitials: [{ asset-list: \"https://a/?_HLS_id=1\" }]", "begin with _HLS_"),
        ("interstitials: [{ asset: \"https://a/b\", asset-list: \"https://a/c\" }]", "either asset or asset-list"),
        ("interstitials: [{ resume-offset: soon, asset: \"https://a/b\" }]", "neither live nor duration"),
        ("interstitials: [{ snap: [up], asset: \"https://a/b\" }]", "'up' is not known"),
        ("interstitials: [{ skip-duration: 3, asset: \"https://a/b\" }]", "set skip-offset as well"),
        ("interstitials: [{ skip-offset: 1.5, asset: \"https://a/b\" }]", "is not a whole number"),
        ("interstitials: [{ skip-offset: 1, skip-label: go on, asset: \"https://a/b\" }]", "is not a label"),
        ("interstitials: [{ restrict: [skip] }]", "there is neither asset nor asset-list"),
        (
            "interstitials: [{ asset: \"https://a/b\" }, { preload: 1 }]",
            "packager.yaml:2: interstitials[1]: there is neither"
        ),
        ("session-data: [{ id: a.b, value: \"{$a}\" }]", "control characters or '{$'"),
        ("session-data: [{ id: a.b, value: \"a\\u0001b\" }]", "control characters or '{$'"),
        ("ads: spots", "is not a source of ads"), ("ads: \"vast:spots\"", "is not the URL"),
        ("ads: files:spots\nscte35: none", "interstitials need the breaks of the feed"),
        ("ads-timeout: 0", "out of range"),
    ])
    func mistakesAreListed(line: String, problem: String) {
        let found = problems(yaml: "input: a.ts\n\(line)\n")
        #expect(found.count == 1 && found.first?.contains(problem) == true, "\(found)")
    }
}
