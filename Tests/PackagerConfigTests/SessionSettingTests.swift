import MediaCore
import PackagerConfig
import Testing

/// The facts about a channel in the multivariant playlist, as operators declare them.
@Suite struct SessionSettingTests {
    @Test func oneIDMayBeThereInSeveralLanguages() throws {
        let yaml = """
            input: a.ts
            start-offset: 30
            start-precise: true
            session-data:
              - { id: com.example.title, value: News, language: en }
              - { id: com.example.title, value: Nachrichten, language: de }
              - { id: com.example.chapters, uri: chapters.bin, format: raw }
            """
        let channel = try load(yaml).channels[0]
        #expect(channel.startOffset == MediaTime(seconds: 30) && channel.startsPrecisely)
        #expect(channel.sessionData.map(\.language) == ["en", "de", nil])
        #expect(channel.sessionData.map(\.value) == ["News", "Nachrichten", nil])
        #expect(channel.sessionData.last?.uri == "chapters.bin" && channel.sessionData.last?.format == .raw)
    }

    @Test(arguments: [
        ("session-data: [{ value: x }]", "there is no id"), ("session-data: [{ id: title, value: x }]", "is not an ID"),
        ("session-data: [{ id: a.b }]", "either a value or a uri"),
        ("session-data: [{ id: a.b, value: x, uri: y }]", "either a value or a uri"),
        ("session-data: [{ id: a.b, value: x }, { id: a.b, value: y }]", "there is 'a.b' already"),
        ("session-data: [{ id: a.b, value: x, language: en }, { id: a.b, uri: y, language: en }]", "in en already"),
        ("session-data: [{ id: _hls.localized-rendition-names, uri: x }]", "are reserved"),
        ("start-offset: 17.9", "is not between three target durations"),
        ("start-offset: 61", "is not between three target durations"), ("start-precise: true", "set start-offset"),
    ])
    func mistakesAreListed(line: String, problem: String) {
        let found = problems(yaml: "input: a.ts\n\(line)\n")
        #expect(found.count == 1 && found.first?.contains(problem) == true, "\(found)")
    }
}
