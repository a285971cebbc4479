import Foundation
import MediaCore
import Operations
import TestSupport
import Testing

/// `docs/messages.md` lists the messages of the log and the kinds of events that the program has, and no others.
@Suite struct MessagesPageTests {
    private static let page = "docs/messages.md"

    /// The rows of the tables whose first column has a name, with the text in it.
    private static func rows(of column: String) throws -> [(name: String, row: GuideTable.Row)] {
        try GuideTable.all(in: page).filter { $0.columns.first == column }.flatMap(\.rows).flatMap { row in
            GuideTable.codes(in: row[0]).map { (name: $0, row: row) }
        }
    }

    // MARK: Messages of the log

    @Test func everyMessageOfTheLogHasARow() throws {
        let (messages, unreadable) = try LoggedMessage.all()
        #expect(messages.count > 60, "the scan finds the calls")
        for call in unreadable {
            Issue.record("\(call.place): the message is no literal, so that no page can list it: \(call.call)")
        }
        let listed = Set(try Self.rows(of: "message").map { $0.name })
        for message in messages where !listed.contains(message.text) {
            Issue.record("\(message.place): '\(message.text)' has no row in \(Self.page)")
        }
    }

    @Test func everyRowOfTheLogIsAMessage() throws {
        let texts = Set(try LoggedMessage.all().messages.map(\.text))
        for (name, row) in try Self.rows(of: "message") where !texts.contains(name) {
            Issue.record("\(Self.page):\(row.line): nothing logs '\(name)'")
        }
    }

    @Test func everyMessageHasOneRow() throws {
        let rows = Dictionary(grouping: try Self.rows(of: "message")) { $0.name }
        for (name, same) in rows where same.count > 1 {
            Issue.record("\(Self.page):\(same[1].row.line): '\(name)' has a row already")
        }
    }

    /// A row has the levels that calls name, and all of them.
    @Test func levelsAreThoseOfTheCalls() throws {
        let messages = Dictionary(grouping: try LoggedMessage.all().messages, by: \.text)
        for (name, row) in try Self.rows(of: "message") {
            let levels = Set(row[1].split(separator: ", ").map(String.init))
            #expect(levels.isSubset(of: LoggedMessage.levels) && !levels.isEmpty, "\(Self.page):\(row.line)")
            let calls = messages[name, default: []]
            let named = calls.reduce(into: Set<String>()) { $0.formUnion($1.levels) }
            let isComplete = calls.allSatisfy { !$0.levels.isEmpty }
            #expect(
                isComplete ? levels == named : levels.isSuperset(of: named),
                "\(Self.page):\(row.line): \(calls.map(\.place)) log \(named.sorted())"
            )
        }
    }

    @Test func everyRowSaysWhatItMeans() throws {
        for (_, row) in try Self.rows(of: "message") {
            #expect(row.cells.count == 5 && row.cells.allSatisfy { !$0.isEmpty }, "\(Self.page):\(row.line)")
        }
    }

    @Test func everyWarningSaysWhatItMeansToViewersAndWhatToDo() throws {
        let rows = try Self.rows(of: "message").map { $0.row }
        let warnings = rows.filter { $0[1].contains("warning") || $0[1].contains("error") }
        #expect(warnings.count > 40, "the page lists warnings")
        for row in warnings { #expect(row[3] != "–" && row[4] != "–", "\(Self.page):\(row.line)") }
    }

    // MARK: Events

    @Test func everyKindOfEventsHasARowWithItsSeverity() throws {
        let rows = try Self.rows(of: "kind")
        for kind in ChannelEvent.Kind.allCases {
            let severities = rows.filter { $0.name == kind.rawValue }.map { $0.row[1] }
            #expect(severities == [kind.usualSeverity.rawValue], "\(kind.rawValue) in \(Self.page)")
        }
    }

    @Test func everyRowOfEventsIsAKind() throws {
        for (name, row) in try Self.rows(of: "kind") {
            #expect(ChannelEvent.Kind(rawValue: name) != nil, "\(Self.page):\(row.line)")
            #expect(row.cells.count == 4 && row.cells.allSatisfy { !$0.isEmpty }, "\(Self.page):\(row.line)")
        }
    }

    @Test func everyFieldOfAnEventHasARow() throws {
        let event = ChannelEvent(time: .zero, channel: "live", kind: .gap, message: "")
        let record = EventRecord(EventLog.Entry(number: 1, event: event))
        let fields = Mirror(reflecting: record).children.compactMap(\.label)
        #expect(Set(try Self.rows(of: "field").map { $0.name }) == Set(fields))
    }

    // MARK: The scan

    @Test func callsOfAllFormsAreFound() {
        let text = """
                logger.notice("stopping", metadata: ["why": "\\(reason), at last"])
                log(
                    isBad ? .warning : .notice,
                    "input ended", input
                )
                log(line.severity == .error ? .info : .debug, "library")
                logger.log(level: level, isOver ? "keys, again" : "no keys", metadata: metadata)
                tell(.error, headline: "certificate", "It ends.")
                // logger.info("a comment")
                private func log(_ channel: String, _ message: String) {}
                logger.log(level: level, "\\(headline)")
                log(channel, requester, what)
            """
        let found = LoggedMessage.scan(text, of: "a.swift")
        #expect(found.unreadable == [])
        let lines = found.messages.map { "\($0.place) \($0.levels.sorted().joined(separator: "/")) \($0.text)" }
        #expect(
            Set(lines) == [
                "a.swift:1 notice stopping", "a.swift:2 notice/warning input ended", "a.swift:6 debug/info library",
                "a.swift:7  keys, again", "a.swift:7  no keys", "a.swift:8  certificate",
            ]
        )
    }

    @Test func aMessageThatIsPutTogetherIsUnreadable() {
        let text = """
                logger.error("lost: \\(reason)")
                log(.warning, reason)
            """
        #expect(LoggedMessage.scan(text, of: "a.swift").unreadable.map(\.place) == ["a.swift:1", "a.swift:2"])
    }

    @Test func tablesAreRead() throws {
        let text = """
            ## Log
            | message | level |
            |---|:-:|
            | `a` | notice \\| error |

            text
            """
        let table = try #require(GuideTable.tables(in: text).first)
        #expect(table.heading == "Log" && table.columns == ["message", "level"])
        #expect(table.rows.map(\.line) == [4] && table.rows.first?.cells == ["`a`", "notice | error"])
        #expect(GuideTable.codes(in: "`a`, and `b c`") == ["a", "b c"])
    }
}
