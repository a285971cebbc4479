import Foundation
import TestSupport
import Testing

@testable import PackagerConfig

/// The values that the control API accepts.
@Suite struct APIAccessTests {
    /// The settings of a channel and their fields that accept any value, for it names nothing outside the channel.
    private static let open: Set = [
        "name", "program", "audio.language", "audio.name", "audio.characteristics", "audio.default", "audio.autoselect",
        "subtitles.language", "subtitles.name", "subtitles.service", "subtitles.origin", "subtitles.characteristics",
        "subtitles.default", "subtitles.autoselect", "subtitles.forced", "feed-subtitles", "subtitle-formats",
        "captions.channel", "captions.language", "captions.name", "captions.default", "clock", "timecode-offset",
        "allowed-publishers", "loop", "realtime", "format", "audio-transcode", "segment-duration", "part-duration",
        "hold-next", "window",
        "maximum-memory", "bandwidth", "scte35", "scte35-ads", "scte35-pid", "scte35-cue-out", "scte35-emsg",
        "interstitials.kinds", "interstitials.asset-list", "interstitials.asset", "interstitials.resume-offset",
        "interstitials.playout-limit", "interstitials.snap", "interstitials.restrict", "interstitials.once",
        "interstitials.content-may-vary", "interstitials.timeline-occupies", "interstitials.timeline-style",
        "interstitials.skip-offset", "interstitials.skip-duration", "interstitials.skip-label", "interstitials.preload",
        "ads-url", "ads-timeout", "session-data.id", "session-data.value", "session-data.uri", "session-data.format",
        "session-data.language", "steering.id", "steering-ttl",
        "start-offset", "start-precise", "encryption", "encrypt-init", "drm", "identity-key",
        "session-keys", "key-hint", "key-spread", "hdcp-level", "allowed-cpc", "key-rotation", "clear-lead",
        "key-classes", "content-id", "late-key", "failback", "on-loss", "frozen-after", "silent-after", "input-timeout",
        "stale-after",
        "fail-on", "thumbnails", "record-for", "record-size", "time-delay", "push.region", "push.addressing",
        "push.expired", "push.backlog", "push.rate", "push.recordings",
    ]

    /// A value that is refused without `api-allow`, and the entry that allows it; nil if none does.
    private typealias Case = (value: String, entry: String?)

    /// The others.
    private static let outside: [(setting: String, cases: [Case])] = [
        ("input", feeds), ("backup", feeds), ("slate", paths), ("key-credentials", paths), ("key-authority", paths),
        ("key-recipient", paths), ("key-signer", paths), ("key-secret", paths), ("output", paths),
        ("output-keys", paths),
        ("state", paths), ("record", paths), ("peer-authority", paths), ("localized-names", paths), ("peer", servers),
        ("steering.url", servers),
        ("subtitles.source", paths + servers), ("key-source", keySources), ("ads", adSources),
        ("push.url", servers + buckets), ("push.endpoint", servers), ("push.credentials", paths),
        ("push.authority", paths),
        ("accept-new-secret", [("true", nil)]), ("ads-private-addresses", [("true", nil)]),
    ]

    private static func cases(_ prefixes: [String], _ cases: [Case]) -> [Case] {
        prefixes.flatMap { prefix in cases.map { (value: prefix + $0.value, entry: $0.entry) } }
    }

    private static let keySources = cases(["file:", "cpix:"], paths) + cases(["cpix:", "speke:"], servers)

    private static let programs: [Case] = [
        ("command:/usr/lib/ads/run", "command:/usr/lib/ads"), ("command:/usr/lib/ads/run", nil),
        ("command:/usr/lib/ads/run -x", "command:/usr/lib/ads/run -x"), ("command:run", nil),
        ("vast:https://ads.example.com/{id}", "https://ads.example.com"),
    ]

    private static let adSources = cases(["files:"], paths) + cases(["vast:"], servers) + programs

    private static let paths: [Case] = [
        ("/srv/media/a", "/srv/media"), ("/srv//media/./a", "/srv/media/"), ("/srv/media", "/srv/media"), ("/a", "/"),
        ("a", nil), ("./a", nil), ("/srv/media/../../etc/shadow", nil), ("/etc/shadow", nil),
    ]

    private static let servers: [Case] = [
        ("http://10.0.0.1/a", "http://10.0.0.1"), ("HTTP://H:80/a/b?c=d", "http://h/a/"),
        ("https://h:443/a", "https://h"),
    ]

    private static let buckets: [Case] = [
        ("s3://media/live", "s3://media"), ("s3://media/live", "s3://media/live/"),
        ("s3://media-tv/../live", nil),
    ]

    private static let feeds: [Case] = paths + otherFeeds

    private static let otherFeeds: [Case] = [
        ("file:/srv/media/a.ts", "/srv/media"), ("file:///srv/media/a.ts", "/srv/media"), ("-", nil),
        ("pipe:0", nil),
        ("/srv/media/a.sdp", "/srv/media"), ("hd.sdp", nil), ("file:hd.sdp", nil), ("concat:/a|/b", nil),
        ("concatf:/a", nil), ("subfile,,start,0,end,0,,:/etc/shadow", nil), ("crypto+file:///a", nil),
        ("crypto:/a", nil), ("data:video/mp2t;base64,Rw==", nil), ("cache:http://h/a", nil), ("async:/a", nil),
        ("hls+file:///a", nil), ("hls+http://h/a", nil), ("tls://h:1?cafile=/etc/shadow", nil),
        ("unix:/run/x", nil),
        ("ftp://h/a", nil), ("sftp://h/a", nil), ("httpproxy://h/a", nil), ("sap://h", nil), ("zmq:tcp://h:1", nil),
        ("bluray:/srv/media", nil), ("udp:/etc/shadow", nil), ("http://h/a b", nil), ("srt+x://h:1", nil),
    ]

    /// The problems of the control API's channel, and how many of them are of a value that it may not set.
    private static func problems(
        _ setting: String,
        _ value: String,
        allowing entries: [String] = [],
        file: String = "",
        name: String = "x"
    ) throws -> (all: [String], forbidden: [String]) {
        let path = setting.split(separator: ".")
        let text = "'\(value.replacing("'", with: "''"))'"
        let entry = path.count == 2 ? "\(path[0]): [{\(path[1]): \(text)}]" : "\(setting): \(text)"
        return try problems(of: entry, allowing: entries, file: file, name: name)
    }

    /// The same, of settings as a document has them.
    private static func problems(
        of entry: String,
        allowing entries: [String],
        file: String,
        name: String = "x"
    ) throws -> (all: [String], forbidden: [String]) {
        var overlay = ChannelOverlay()
        overlay.put(try ChannelDocument(name: name, text: entry))
        let list = entries.map { "  - '\($0)'\n" }.joined()
        let allow = entries.isEmpty ? "" : "api-allow:\n\(list)"
        let yaml = "\(allow)channels:\n  - {name: a, input: 'udp://h:1'}\n\(file)"
        let texts = ConfigurationTexts(
            file: ConfigurationFile(name: "packager.yaml", text: yaml),
            overlay: overlay,
            overlayName: "packager.channels.yaml"
        )
        let reading = try Configuration.read(flags: [:], environment: [:], texts: texts, needsInput: false)
        #expect(!reading.problems.contains { $0.description.hasPrefix("packager.yaml") }, "\(reading.problems)")
        return (reading.problems.map(\.description), reading.problems.filter(\.isForbidden).map(\.description))
    }

    /// A setting that nobody has thought about fails here.
    @Test func everySettingIsDecided() {
        let all = Setting.ofChannel.flatMap { setting in
            setting.items.map { $0.fields.map { "\(setting.name).\($0.name)" } } ?? [setting.name]
        }
        let outside = Set(Self.outside.map(\.setting))
        #expect(Set(all) == Self.open.union(outside))
        #expect(Self.open.isDisjoint(with: outside))
        for setting in Setting.ofChannel {
            for (field, path) in setting.items.map({ $0.fields.map { ($0, "\(setting.name).\($0.name)") } })
                ?? [(setting, setting.name)]
            {
                if case .open = field.api { #expect(Self.open.contains(path), "\(path)") }
            }
        }
    }

    @Test func aSettingIsClosedUntilItSaysOtherwise() {
        let setting = BoundSetting<CaptionDescription>("new", \.name, SettingType.quotable.optional) { "New." }
        if case .closed = setting.declaration.api { return }
        Issue.record("it is open")
    }

    @Test(arguments: Setting.ofProcess.map(\.name))
    func settingsOfTheProcessAreNoChannels(setting: String) throws {
        let problems = try Self.problems(setting, "a").all
        #expect(problems.contains { $0.contains("there is no such key") }, "\(problems)")
    }

    @Test(arguments: outside.map(\.setting))
    func namesOfPlacesAreRefusedUnlessTheyAreAllowed(setting: String) throws {
        for (value, entry) in try #require(Self.outside.first { $0.setting == setting }).cases {
            let refused = try Self.problems(setting, value)
            #expect(refused.forbidden.count == 1, "\(value): \(refused.all)")
            #expect(
                refused.forbidden.allSatisfy {
                    $0.hasPrefix("packager.channels.yaml:") && $0.contains(setting.split(separator: ".").last ?? "")
                }
            )
            let others = ["/srv/other", "/srv/medi", "https://h.example.com/", "http://h:81/a", "command:/usr/lib/ad"]
            #expect(try Self.problems(setting, value, allowing: others).forbidden.count == 1, "\(value)")
            guard let entry else { continue }
            #expect(try Self.problems(setting, value, allowing: ["/none", entry]).forbidden == [], "\(value)")
        }
    }

    @Test(arguments: [
        "udp://239.0.0.1:5000", "srt://0.0.0.0:9000?mode=listener&passphrase=0123456789",
        "rtmp://0.0.0.0:1935/live/key",
        "rtp://h:1", "https://user:pw@h/a.m3u8?x=/etc/shadow", "http://h/x.sdp", "rtsp://h/x", "tcp://h:1?listen",
        "RTMPS://h/a/b?listen=0", "rist://h:1",
    ])
    func feedsByNetworkAreFree(feed: String) throws {
        #expect(try Self.problems("input", feed).forbidden == [])
        #expect(try Self.problems("backup", feed).forbidden == [])
    }

    @Test func derivedKeysAreFree() throws {
        #expect(try Self.problems("key-source", "derived").forbidden == [])
    }

    @Test(arguments: [
        ("http://host.evil/a", "http://host"), ("http://host:8080/a", "http://host"),
        ("http://u@host/a", "http://host"),
        ("http://host@evil/a", "http://host"), ("http://evil/http://host/", "http://host"),
        ("https://host/a", "http://host"),
        ("http://host/ab", "http://host/a"), ("http://host/a/../b", "http://host/a"),
        ("http://host/a/%2e%2E/b", "http://host/a"), ("http://host/a/..%2fb", "http://host/a"),
        ("http://host\\@evil/a", "http://host"), ("http://host./a", "http://host"),
        ("http://evil#@host/a", "http://host"),
        ("http://evil?@host/a", "http://host"), ("http://ｈost/a", "http://host"), ("http://[::1]/a", "http://[::2]"),
        ("http://{id}.host/a", "http://host"), ("http://host/A/b", "http://host/a"),
        ("http://host:080/a", "http://host:8080"),
    ])
    func oneURLIsNotAnother(value: String, entry: String) throws {
        let source = try Self.problems("subtitles.source", value, allowing: [entry])
        #expect(source.all.contains { $0.contains("packager.channels.yaml") }, "\(source)")
        #expect(OutsideUse.server(value) == .server(value))
        let place = try #require(AllowedPlace(entry))
        #expect(!place.includes(.server(value), resolving: { $0 }))
    }

    @Test(arguments: [
        "srv", "../srv", "/srv/../etc", "ftp://h", "http://u@h", "http://h/?a", "http://h/{id}", "command:",
        "command:ads",
        "command:/usr/../bin/sh", "", "http:///a", "http://h/../a",
    ])
    func whatIsNoPlaceIsRefused(entry: String) {
        #expect(AllowedPlace(entry) == nil)
        #expect(!PackagerConfigTests.problems(flags: ["input": ["a.ts"], "api-allow": [entry]]).isEmpty)
    }

    @Test func programsHaveTheArgumentsThatAreAllowed() throws {
        for value in ["command:/bin/sh -c id", "command:/bin/sh", "command:/bin/sh -x -y", "command:/bin/shx -x"] {
            #expect(
                try Self.problems("ads", value, allowing: ["command:/bin/sh -x", "/bin"]).forbidden.count == 1,
                "\(value)"
            )
        }
        #expect(try Self.problems("ads", "command:/bin/sh -x", allowing: ["command:/bin/sh -x"]).forbidden == [])
    }

    @Test func linksLeadOutOfNoDirectory() throws {
        let directory = try TemporaryDirectory()
        let (inside, outside) = (directory.file("in"), directory.file("out"))
        for path in [inside, outside] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for (name, target) in [("link", outside), ("dangling", "/nowhere/at/all"), ("self", inside), ("loop", "loop")] {
            try FileManager.default.createSymbolicLink(atPath: "\(inside)/\(name)", withDestinationPath: target)
        }
        try FileManager.default.createSymbolicLink(atPath: directory.file("alias"), withDestinationPath: inside)
        for (path, isAllowed) in [
            ("\(inside)/new/a", true), ("\(inside)/self/a", true), (directory.file("alias/a"), true),
            ("\(inside)/link", false), ("\(inside)/link/a", false), ("\(inside)/dangling", false),
            ("\(inside)/dangling/a", false), ("\(inside)/loop/a", false), (outside, false),
        ] {
            let forbidden = try Self.problems("slate", path, allowing: [inside]).forbidden
            #expect(forbidden.isEmpty == isAllowed, "\(path)")
            let ofAlias = try Self.problems("slate", path, allowing: [directory.file("alias")]).forbidden
            #expect(ofAlias.isEmpty == isAllowed, "\(path)")
        }
        #expect(try Self.problems("slate", outside, allowing: ["\(inside)/dangling"]).forbidden.count == 1)
        #expect(try Self.problems("slate", "\(inside)/loop", allowing: ["\(inside)/dangling"]).forbidden.count == 1)
    }

    /// Values that the file's author has written for a channel stay when something else of it changes.
    @Test func valuesOfTheFileStay() throws {
        let file =
            "  - {name: x, input: /etc/a.ts, ads: 'command:sh ads.sh', subtitles: [{language: en, source: a.vtt}]}\n"
        for (setting, value) in [("input", "/etc/a.ts"), ("ads", "command:sh ads.sh"), ("subtitles.source", "a.vtt")] {
            #expect(try Self.problems(setting, value, file: file).forbidden == [])
            #expect(try Self.problems(setting, value, file: file, name: "y").forbidden.count == 1)
        }
        #expect(try Self.problems("backup", "/etc/a.ts", file: file).forbidden.count == 1)
        #expect(try Self.problems("input", "/etc/b.ts", file: file).forbidden.count == 1)
    }

    /// A secret of the file goes to the server for which the file has it, and to no other one that is allowed.
    @Test(
        arguments: [
            (
                "push: [{url: 'https://one/a', credentials: /c}, {url: 's3://m', endpoint: 'https://one', credentials: /k}]",
                [
                    "push: [{url: 'https://two/a', credentials: /c}]", "push: [{url: 's3://m', credentials: /c}]",
                    "push: [{url: 's3://m', endpoint: 'https://two', credentials: /k}]",
                ],
                "push: [{url: 'https://one/a', credentials: /c, authority: /o}]"
            ),
            (
                "{key-source: 'speke:https://one/k', key-credentials: /c}",
                ["{key-source: 'speke:https://two/k', key-credentials: /c}", "{key-credentials: /c}"],
                "{key-source: 'speke:https://one/k', key-credentials: /c, key-rotation: 60}"
            ),
        ] as [(String, [String], String)]
    )
    func secretsOfTheFileStayWithTheirServer(written: String, moved: [String], changed: String) throws {
        let settings = written.hasPrefix("{") ? String(written.dropFirst().dropLast()) : written
        let file = "  - {name: x, input: 'udp://h:2', \(settings)}\n"
        let allowed = ["https://one", "https://two", "s3://m", "/o"]
        func forbidden(_ entry: String) throws -> [String] {
            let lines = String(entry.dropFirst().dropLast()).replacing(", ", with: "\n")
            let entry = entry.hasPrefix("{") ? lines : entry
            return try Self.problems(of: entry, allowing: allowed, file: file).forbidden
        }
        #expect(try forbidden(changed) == [])
        for entry in moved {
            let problems = try forbidden(entry)
            #expect(problems.count == 1 && problems.allSatisfy { $0.contains("credentials") }, "\(entry): \(problems)")
        }
    }

    @Test func theRefusalSaysWhatHelpsAndShowsNoSecret() throws {
        let ads = try Self.problems("ads", "vast:https://h/x?key=hunter2").forbidden
        let message =
            "channels[0].ads: the control API may not set 'vast:https://h/x?key=***' unless api-allow of the configuration "
            + "file has its URL or the beginning of it"
        #expect(ads.count == 1)
        #expect(ads.first?.hasSuffix(message) == true, "\(ads)")
        let path = try Self.problems("output", "/etc").forbidden
        #expect(
            path.first?.contains("unless api-allow of the configuration file has /etc or a directory above") == true
        )
        let closed = try Self.problems("accept-new-secret", "true").forbidden
        #expect(closed.first?.hasSuffix("the control API may not set this; write it in the configuration file") == true)
    }
}
