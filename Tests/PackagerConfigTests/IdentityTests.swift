import MediaCore
import Testing

@testable import PackagerConfig

@Suite struct IdentityTests {
    private static let all: Set<SettingEffect> = [.stream, .pair, .rolling]

    /// A value of each setting that something depends on.
    private static let values: [(name: String, value: String)] = [
        ("name", "x"), ("input", "[a.ts, b.ts]"), ("backup", "b.ts"), ("program", "7"), ("clock", "pts"),
        ("timecode-offset", "+02:00"), ("format", "ts"), ("audio-transcode", "all"), ("segment-duration", "2"),
        ("part-duration", "1"),
        ("window", "90"), ("bandwidth", "video-360p=2M/1M"), ("encryption", "aes-128"), ("key-rotation", "8"),
        ("late-key", "gap"), ("scte35", "ads"), ("scte35-ads", "[break]"), ("key-classes", "[uhd, sd]"),
        ("scte35-pid", "[auto]"), ("scte35-cue-out", "enhanced"), ("scte35-emsg", "true"),
        ("content-id", "x"), ("identity-key", "true"),
        ("session-keys", "false"),
        ("hdcp-level", "type-1"), ("allowed-cpc", "a:b"), ("key-hint", "identity"), ("key-spread", "60"),
        ("key-url", "https://keys.example.com"), ("token-keys", "/secrets/jwks.json"), ("token-parameter", "t"),
        ("key-lease", "60"),
        ("failback", "1"), ("on-loss", "hold"), ("frozen-after", "3"), ("silent-after", "4"),
        ("audio", "[{language: en}]"), ("audio", "[{name: English}]"), ("audio", "[{default: true}]"),
        ("audio", "[{autoselect: false}]"), ("audio", "[{characteristics: public.a}]"),
        ("subtitles", "[{language: en}]"), ("subtitles", "[{language: en, forced: true}]"),
        ("subtitles", "[{language: en, origin: 2026-11-23T08:00:00Z}]"), ("subtitle-formats", "[webvtt, imsc1]"),
        ("session-data", "[{id: com.example.a, value: x, language: en}]"), ("start-offset", "18"),
        ("session-data", "[{id: com.example.a, uri: x, format: raw}]"), ("localized-names", "names.json"),
        ("steering", "[{id: a, url: \"https://a.example.com\"}]"),
        ("ads", "files:spots"), ("interstitials", "[{asset-list: \"https://ads.example.com/{event-id}\"}]"),
        ("interstitials", "[{asset: \"https://ads.example.com/a.m3u8\", kinds: [break]}]"),
        (
            "interstitials",
            "[{asset: \"https://a.example.com\", resume-offset: duration, playout-limit: 30, snap: [in]}]"
        ),
        (
            "interstitials",
            "[{asset: \"https://a.example.com\", restrict: [skip], once: true, content-may-vary: false, preload: 5}]"
        ),
        (
            "interstitials",
            "[{asset: \"https://a.example.com\", timeline-occupies: range, timeline-style: primary, skip-offset: 1, "
                + "skip-duration: 2, skip-label: a}]"
        ),
        ("subtitles", "[{language: en, service: CC1}]"), ("feed-subtitles", "[teletext, 888, CC1]"),
        ("captions", "[{channel: CC1}]"), ("captions", "[{channel: CC1, name: English}]"),
    ]

    private static func identity(_ yaml: String, _ effects: Set<SettingEffect>) throws -> [String: String] {
        let input = yaml.contains("input:") ? yaml : "input: a.ts\n\(yaml)"
        let configuration = try load(input)
        let channel = try #require(configuration.channels.first).identity(of: effects)
        return effects.contains(.rolling)
            ? channel.merging(configuration.deliveryIdentity) { first, _ in first } : channel
    }

    @Test(arguments: values)
    func whatSomethingDependsOnIsNamed(setting: (name: String, value: String)) throws {
        let one = try Self.identity("\(setting.name): \(setting.value)", Self.all)
        let other = try Self.identity("", Self.all)
        let names = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
        #expect(!names.isEmpty)
        for name in names {
            #expect(name.prefix { $0 != "[" } == setting.name)
            let effect = try #require(ChannelConfiguration.effect(of: name))
            #expect(try Self.identity("\(setting.name): \(setting.value)", [effect])[name] == one[name])
        }
    }

    @Test func allThatSomethingDependsOnIsTriedHere() {
        let names = (Setting.ofChannel + Setting.ofProcess).filter { $0.affects != .nothing || $0.items != nil }
            .map(\.name)
        // The readers of the slate and the secret report their contents; encrypt-init, clear-lead, key-source, drm,
        // playlist-variables, start-precise and time-delay need others. Who is told of events or sent the stream, nobody
        // else depends on.
        #expect(
            Set(names)
                == Set(Self.values.map(\.name)).union([
                    "slate", "key-secret", "encrypt-init", "clear-lead", "key-source", "drm", "playlist-variables",
                    "start-precise", "time-delay", "webhooks", "push",
                ])
        )
    }

    @Test func itIsWrittenInPlainWords() throws {
        let identity = try Self.identity(
            """
            input: [srt://10.0.0.1:5000?passphrase=secret-secret]
            key-rotation: 8
            bandwidth: [video-360p=2M/1M, audio-en=64k]
            audio: [{language: en, name: English, characteristics: [public.a, public.b]}, {language: de}]
            subtitles: [{language: en, source: http://10.0.0.3/captions.vtt}]
            captions: [{channel: CC1, language: en}]
            """,
            Self.all
        )
        #expect(
            identity == [
                "name": "live", "input": "1 feeds", "backup": "0 feeds", "clock": "arrival", "timecode-offset": "0.0",
                "format": "fmp4", "audio-transcode": "automatic", "segment-duration": "4.0",
                "part-duration": "0.0", "window": "60.0",
                "bandwidth": "audio-en=64000/64000, video-360p=2000000/1000000", "encryption": "none",
                "encrypt-init": "false", "identity-key": "false", "session-keys": "true", "key-hint": "automatic",
                "hdcp-level": "automatic", "scte35": "passthrough", "scte35-cue-out": "none", "scte35-emsg": "false",
                "key-source": "derived", "key-rotation": "8.0", "clear-lead": "0.0", "late-key": "hold",
                "failback": "30.0",
                "on-loss": "gap",
                "frozen-after": "0.0", "silent-after": "0.0",
                "audio[0].language": "en", "audio[0].name": "English", "audio[0].characteristics": "public.a public.b",
                "audio[0].autoselect": "true", "audio[1].language": "de", "audio[1].autoselect": "true",
                "subtitles[0].language": "en", "subtitles[0].origin": "midnight", "subtitles[0].default": "false",
                "subtitles[0].autoselect": "true", "subtitles[0].forced": "false", "subtitle-formats": "webvtt",
                "feed-subtitles": "text,teletext",
                "captions[0].channel": "CC1", "captions[0].language": "en", "captions[0].default": "false",
                "start-offset": "0.0", "start-precise": "false",
                "key-lease": "0.0", "playlist-variables": "false", "token-parameter": "token",
            ]
        )
    }

    @Test func secretsAndWhatIsOfOnePackagerAreNotInIt() throws {
        let identity = try Self.identity(
            """
            encryption: sample-aes
            key-secret: /secrets/master.key
            token-keys: /secrets/jwks.json
            keys-listen: 10.0.0.1:8443
            key-url: https://keys.example.com
            playlist-variables: true
            slate: /slates/slate.ts
            output: /o
            state: /s
            record: /r
            peer: http://10.0.0.2:8080
            maximum-memory: 2G
            stale-after: 20
            fail-on: [stale]
            """,
            Self.all
        )
        let expected = [
            "input": "1 feeds", "encryption": "sample-aes", "token-keys": "given",
            "key-url": "https://keys.example.com",
            "playlist-variables": "true",
        ]
        #expect(identity == ChannelConfiguration.identityOfDefaults.merging(expected) { $1 })
    }

    @Test(arguments: ["", "[", "audio", "audio[0]", "audio[0].", "captions[].x", "initialization vectors"])
    func whatIsNoSettingHasNoEffect(name: String) {
        #expect(ChannelConfiguration.effect(of: name) == nil)
    }
}
