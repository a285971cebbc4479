import MediaCore
import Testing

@testable import PackagerConfig

/// Changes of channels while the program runs, and the file that keeps them.
@Suite struct ChannelOverlayTests {
    private static let file = ConfigurationFile(
        name: "packager.yaml",
        text: """
            window: 60
            channels:
              # The evening's.
              - {name: a, input: a.ts}
              - {name: b, input: "udp://239.0.0.1:5000", window: 90, subtitles: [{language: no, source: b.vtt}]}
            """
    )

    private static func channels(_ overlay: ChannelOverlay, of file: ConfigurationFile? = file) throws -> Configuration
    {
        let texts = ConfigurationTexts(file: file, overlay: overlay, overlayName: "packager.channels.yaml")
        return try Configuration.read(flags: [:], environment: [:], texts: texts).checked()
    }

    private static func overlay(
        _ documents: (name: String, text: String)...,
        removing names: [String] = []
    ) throws
        -> ChannelOverlay
    {
        var overlay = ChannelOverlay()
        for (name, text) in documents { overlay.put(try ChannelDocument(name: name, text: text)) }
        for name in names { overlay.remove(name, isInFile: true) }
        return overlay
    }

    @Test func channelsAreAddedReplacedAndRemoved() throws {
        let overlay = try Self.overlay(
            ("c", #"{"input": ["udp://c:1"], "window": 120}"#),
            ("a", "input: udp://other:1"),
            removing: ["b"]
        )
        let configuration = try Self.channels(overlay)
        #expect(configuration.channels.map(\.name) == ["a", "c"])
        #expect(configuration.channels.map(\.window.seconds) == [60, 120])
        #expect(configuration.channels.first?.inputs.map(\.description) == ["udp://other:1"])
        #expect(
            configuration.warnings.map(\.description) == [
                "packager.yaml:4: channels[0]: this entry has no effect: the control API has changed channel a (packager.channels.yaml)",
                "packager.yaml:5: channels[1]: this entry has no effect: the control API has removed channel b (packager.channels.yaml)",
            ]
        )
    }

    /// Each may have as many values as the control API takes, and there may be many.
    @Test func anOverlayOfLargeChannelsIsReadAgain() throws {
        let addresses = (0..<6_000).map { "10.1.\($0 / 250).\($0 % 250)" }.joined(separator: ", ")
        let text = "input: 'rtmp://0.0.0.0:1935/live/x'\nallowed-publishers: [\(addresses)]"
        let overlay = try Self.overlay(("c", text), ("d", text))
        let file = ConfigurationFile(name: "packager.channels.yaml", text: overlay.text)
        #expect(try ChannelOverlay(file) == overlay)
        let texts = ConfigurationTexts(file: ConfigurationFile(name: "packager.yaml", text: overlay.text))
        #expect(texts.channelOfFile("d") == overlay.channels[1])
    }

    @Test func emptyOverlayChangesNothing() throws {
        #expect(try Self.channels(ChannelOverlay()) == (try load(Self.file.text)))
    }

    /// Settings for all channels continue to hold for the one of the file and for others.
    @Test func aFileOfOneChannelGainsOthers() throws {
        let file = ConfigurationFile(name: "packager.yaml", text: "name: main\ninput: a.ts\nwindow: 90\n")
        let configuration = try Self.channels(try Self.overlay(("c", "input: udp://c:1")), of: file)
        #expect(configuration.channels.map(\.name) == ["main", "c"])
        #expect(configuration.channels.map(\.window.seconds) == [90, 90])
        let texts = ConfigurationTexts(file: file)
        #expect(texts.channel("main")?.json == "{\n  \"input\" : \"a.ts\",\n  \"name\" : \"main\"\n}")
    }

    @Test func overlayAddsChannelsWithoutAFile() throws {
        let texts = ConfigurationTexts(overlay: try Self.overlay(("c", "input: udp://c:1")), overlayName: "c.yaml")
        let configuration = try Configuration.read(flags: ["input": ["f.ts"]], environment: [:], texts: texts)
        // What the flags say is of one channel, and there are two.
        #expect(throws: ConfigurationProblems.self) { try configuration.checked() }
        #expect(
            try Self.channels(try Self.overlay(("c", "input: udp://c:1")), of: nil).channels.map(\.name) == [
                "live", "c",
            ]
        )
    }

    @Test(arguments: [
        ("d", "input: d.ts"), ("e", #"{"input": "srt://h:1?passphrase=0123456789", "audio": [{"language": "no"}]}"#),
        ("f", "{input: \"nu\\u00e9e ü: #.ts\", subtitles: [{language: 'no', source: 'null'}], window: 0120}"),
        ("g", "input: [a.ts, \"- b\", '{c}', \"true\", \"1e3\", \"~\"]"),
    ])
    func whatIsKeptIsReadAgain(name: String, text: String) throws {
        let overlay = try Self.overlay((name, text), removing: ["a", "null"])
        let again = try ChannelOverlay(ConfigurationFile(name: "o.yaml", text: overlay.text))
        #expect(again == overlay, "\(overlay.text)")
        #expect(again.text == overlay.text)
        #expect(try ChannelOverlay(ConfigurationFile(name: "o.yaml", text: "")).isEmpty)
    }

    @Test func problemsNameTheFileThatHasThem() throws {
        let overlay = try Self.overlay(("c", #"{"input": "udp://c:1", "window": "soon", "wnidow": 60}"#))
        let error = #expect(throws: ConfigurationProblems.self) { try Self.channels(overlay) }
        let texts = (error?.problems ?? []).map(\.description)
        #expect(texts.count == 2)
        #expect(texts.allSatisfy { $0.hasPrefix("packager.channels.yaml:") }, "\(texts)")
        #expect(texts.contains { $0.hasSuffix("there is no such key (did you mean window?)") }, "\(texts)")
    }

    @Test func theLastChannelStays() throws {
        let overlay = try Self.overlay(removing: ["a", "b"])
        let error = #expect(throws: ConfigurationProblems.self) { try Self.channels(overlay) }
        #expect(error?.problems.map(\.message).contains("no channel is left") == true)
    }

    @Test func removedChannelComesBackAsItIsPosted() throws {
        var overlay = try Self.overlay(removing: ["b"])
        overlay.put(try ChannelDocument(name: "b", text: "input: udp://b:1"))
        #expect(try Self.channels(overlay).channels.map(\.name) == ["a", "b"])
        overlay.remove("b", isInFile: false)
        #expect(overlay.isEmpty)
    }

    @Test(arguments: [
        ("[]", "a mapping of settings"), ("", "a mapping of settings"), ("{", "line 2, column 1: "),
        ("name: b\ninput: c", "name: "),
        ("input: srt://h:1?passphrase=***", "stands for a secret that is not known"),
        (
            "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\ne: &e [*d,*d]\nf: &f [*e,*e]\ng: [*f,*f]\nh: [*f]",
            "more than"
        ),
        ("a: {b: {c: {d: {e: {f: {g: {h: {i: 1}}}}}}}}", "more than"),
    ])
    func invalidDescriptionIsRefusedWithItsProblem(text: String, problem: String) {
        let error = #expect(throws: ChannelDocument.Invalid.self) { try ChannelDocument(name: "c", text: text) }
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    /// RFC 7396, appendix A, with what has a mapping at its top.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func patchesMergeAsJSONMergePatch(target: String, patch: String, result: String) throws {
        let document = try ChannelDocument(name: "x", text: target)
        let merged = try document.patched(patch).json.filter { !$0.isWhitespace }
        let expected = result == "{}" ? #"{"name":"x"}"# : String(result.dropLast()) + #","name":"x"}"#
        #expect(merged == expected)
    }

    @Test func aPatchCannotGiveAnotherName() throws {
        let document = try ChannelDocument(name: "x", text: "input: a.ts")
        for patch in [#"{"name": "y"}"#, #"{"name": null}"#, "[]", "3"] {
            #expect(throws: ChannelDocument.Invalid.self) { try document.patched(patch) }
        }
    }

    private static let secretive = """
        input: ["srt://0.0.0.0:9000?mode=listener&passphrase=hunter2hunter2", "rtmp://0.0.0.0:1935/live/hunter2?auth=hunter2",
          "rtmp://0.0.0.0:1935/live/hunter3?auth=hunter2"]
        backup: "https://user:hunter2@example.com/a.ts?token=hunter2&x=hunter2&hdnts=hunter2&listen=1"
        ads: "vast:https://ads.example.com/x?id={id}&k=hunter2"
        subtitles: [{language: en, source: "https://example.com/en.vtt?sig=hunter2"}]
        """

    @Test func secretsAreNotShown() throws {
        let document = try ChannelDocument(name: "x", text: Self.secretive)
        #expect(!document.json.contains("hunter"), "\(document.json)")
        for text in [
            "srt://0.0.0.0:9000?mode=listener&passphrase=***", "rtmp://0.0.0.0:1935/live/***?auth=***",
            "https://***@example.com/a.ts?token=***&x=***&hdnts=***&listen=1",
            "vast:https://ads.example.com/x?id=***&k=***",
            "https://example.com/en.vtt?sig=***",
        ] {
            #expect(document.json.contains("\"\(text)\""), "\(text)")
        }
        let patched = try document.patched(#"{"window": 90}"#)
        #expect(patched.entityTag(salt: 1) != document.entityTag(salt: 1))
        #expect(document.entityTag(salt: 2) != document.entityTag(salt: 1))
        var overlay = ChannelOverlay()
        overlay.put(patched)
        #expect(overlay.text.contains("passphrase=hunter2hunter2"))
    }

    /// A client changes what it has read and sends it back.
    @Test func aMaskedValueThatComesBackIsUnchanged() throws {
        let document = try ChannelDocument(name: "x", text: Self.secretive)
        #expect(try ChannelDocument(name: "x", text: document.json, replacing: document).json == document.json)
        let same = try ChannelDocument(name: "x", text: document.json, replacing: document)
        #expect(Set(same.tree.texts) == Set(document.tree.texts))
        let patch = #"{"backup": ["https://***@example.com/a.ts?token=***&x=***&hdnts=***&listen=1", "udp://h:1"]}"#
        let patched = try document.patched(patch)
        #expect(patched.tree.texts.contains { $0.hasPrefix("https://user:hunter2@example.com/a.ts?token=hunter2&") })
    }

    @Test(arguments: [
        // Of another host or under another key there is no such secret, and of two it is not known which.
        "backup: 'https://***@evil.example.com/a.ts?token=***&x=***&hdnts=***&listen=1'",
        "backup: 'rtmp://0.0.0.0:1935/live/***?auth=***'", "input: 'rtmp://0.0.0.0:1935/live/***?auth=***'",
        "input: 'srt://0.0.0.0:9000?mode=caller&passphrase=***'",
    ])
    func aMaskIsNoSecret(text: String) throws {
        let document = try ChannelDocument(name: "x", text: Self.secretive)
        #expect(throws: ChannelDocument.Invalid.self) {
            try ChannelDocument(name: "x", text: text, replacing: document)
        }
        let json =
            "{\(text.replacing("input:", with: "\"input\":").replacing("backup:", with: "\"backup\":").replacing("'", with: "\""))}"
        #expect(throws: ChannelDocument.Invalid.self) { try document.patched(json) }
    }
}
