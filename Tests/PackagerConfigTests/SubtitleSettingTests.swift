import MediaCore
import PackagerConfig
import Testing
import TimedText

/// Subtitles, as operators declare them.
@Suite struct SubtitleSettingTests {
    @Test func aFileSaysAllAndAFlagTheMostUsual() throws {
        let yaml = """
            input: a.ts
            subtitle-formats: [imsc1, webvtt]
            subtitles:
              - { language: en, name: English, source: captions.vtt, default: true }
              - { language: de, source: "https://captions.example.com/de.ttml", origin: 2026-11-18T11:06:40Z, forced: true }
            """
        let channel = try load(yaml).channels[0]
        #expect(channel.text.subtitles.map(\.attributes.language) == ["en", "de"])
        #expect(channel.text.subtitles.map(\.source) == ["captions.vtt", "https://captions.example.com/de.ttml"])
        #expect(channel.text.subtitles.map(\.origin) == [.midnight, .utc(MediaTime(seconds: 1_795_000_000))])
        #expect(channel.text.subtitles[0].attributes.isDefault && channel.text.subtitles[1].attributes.isForced)
        #expect(Set(channel.text.formats) == [.webVTT, .imsc1])
        let flags = ["input": ["a.ts"], "subtitles": ["en=a=b.vtt", "pt-BR"]]
        let given = try Configuration.load(flags: flags, environment: [:], file: nil).channels[0]
        #expect(given.text.subtitles.map(\.attributes.language) == ["en", "pt-BR"])
        #expect(given.text.subtitles.map(\.source) == ["a=b.vtt", nil])
    }

    @Test(arguments: [
        ("- { name: English }", "there is no language"), ("- { language: x }", "is not a language tag"),
        ("- { language: en }\n  - { language: en }", "another subtitle track is 'en' too"),
        ("- { language: en, origin: noon }", "is neither midnight nor a point in time"),
        ("- { language: en, default: true }\n  - { language: de, default: true }", "only one subtitle track"),
        ("- { language: en, default: true, forced: true }", "cannot be the default"),
        ("- { language: en, service: 888, source: a.vtt }", "needs no source"),
        ("- { language: en, service: CC5 }", "is no page of teletext"),
    ])
    func mistakesAreListed(items: String, problem: String) {
        let found = problems(yaml: "input: a.ts\nsubtitles:\n  \(items)\n")
        #expect(found.count == 1 && found.first?.contains(problem) == true, "\(found)")
    }

    @Test(arguments: [("[imsc1]", "fmp4", 1), ("[webvtt, imsc1]", "ts", 1), ("[webvtt]", "ts", 0)])
    func webVTTIsAlwaysThere(formats: String, format: String, count: Int) {
        #expect(problems(yaml: "input: a.ts\nformat: \(format)\nsubtitle-formats: \(formats)\n").count == count)
    }

    @Test func whatIsInsideTheFeedsIsAskedForAndDescribed() throws {
        let yaml = """
            input: a.ts
            feed-subtitles: [text, CC1]
            subtitles:
              - { language: en, source: a.vtt }
              - { language: en, service: 888, name: English, default: true }
              - { language: en, service: CC1 }
            """
        let channel = try load(yaml).channels[0]
        #expect(channel.subtitlesBesideFeeds.map(\.source) == ["a.vtt"])
        #expect(channel.wantedFeedSubtitles.choices == [.text, .captions(.line21(1)), .page(888)])
        let usual = try load("input: a.ts").channels[0]
        #expect(usual.wantedFeedSubtitles == .automatic)
        let flags = ["input": ["a.ts"], "feed-subtitles": ["teletext,777", "SERVICE63"]]
        let given = try Configuration.load(flags: flags, environment: [:], file: nil).channels[0]
        #expect(given.text.feedSubtitles == [.teletext, .page(777), .captions(.service(63))])
    }

    @Test(arguments: [
        ("[none, text]", "'none' cannot be combined with other values"),
        ("[page]", "is not a kind of subtitles in feeds"),
        ("[99]", "is not a kind of subtitles in feeds"), ("[CC1, CC1]", "is there twice"),
    ])
    func mistakesOfWhatAFeedHas(value: String, problem: String) {
        let found = problems(yaml: "input: a.ts\nfeed-subtitles: \(value)\n")
        #expect(found.count == 1 && found.first?.contains(problem) == true, "\(found)")
    }
}
