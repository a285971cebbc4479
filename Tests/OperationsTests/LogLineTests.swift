import Foundation
import Logging
import Testing

@testable import Operations

@Suite struct LogLineTests {
    private let line = LogLine(
        .warning,
        "input lost",
        [("channel", "live"), ("reason", "read: it's \"gone\""), ("time", "8")],
        at: Date(timeIntervalSince1970: 1_795_000_000.25)
    )

    @Test func textIsForPeople() {
        #expect(
            line.text(.text)
                == #"2026-11-18T11:06:40.250Z warning input lost channel=live reason="read: it's \"gone\"" time=8"#
        )
    }

    /// A line's own fields are never hidden by a variable.
    @Test func jsonIsOneObject() throws {
        let text = line.text(.json)
        #expect(!text.contains("\n"))
        let object = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        #expect(
            object == [
                "time": "2026-11-18T11:06:40.250Z", "level": "warning", "message": "input lost", "channel": "live",
                "reason": "read: it's \"gone\"", "time_": "8",
            ]
        )
    }

    /// Numbers are numbers, and texts that only look like one, such as a version, are not.
    @Test func numbersAreNumbersInJSON() throws {
        let line = LogLine(
            .notice,
            "input is back",
            [("after_seconds", "41"), ("version", "1.0"), ("level", "7")],
            numbers: ["after_seconds", "level"]
        )
        #expect(line.text(.text).hasSuffix("after_seconds=41 version=1.0 level=7"))
        let data = Data(line.text(.json).utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["after_seconds"] as? Int == 41 && object["level_"] as? Int == 7)
        #expect(object["version"] as? String == "1.0" && object["level"] as? String == "notice")
    }

    @Test(arguments: ["", "a\"b\\c/", "\u{0}\u{1F}\u{7F}\u{9F}\r\n\t", "é € 😀", "\u{2028}"])
    func anyTextComesBackFromJSON(text: String) throws {
        let line = JSONLine.text([("text", .text(text)), ("number", .number("-7"))])
        #expect(!line.contains { $0.isNewline && $0 != "\u{2028}" })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["text"] as? String == text)
        #expect(object["number"] as? Int == -7)
    }
}
