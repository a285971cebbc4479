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

    /// What is said of a line itself is never hidden by a variable.
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

    @Test(arguments: ["", "a\"b\\c/", "\u{0}\u{1F}\u{7F}\u{9F}\r\n\t", "é € 😀", "\u{2028}"])
    func anyTextComesBackFromJSON(text: String) throws {
        let line = JSONLine.text([("text", text)], numbers: [("number", -7)])
        #expect(!line.contains { $0.isNewline && $0 != "\u{2028}" })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["text"] as? String == text)
        #expect(object["number"] as? Int == -7)
    }
}
