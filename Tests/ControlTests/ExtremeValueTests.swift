import Foundation
import MediaCore
import NIOCore
import Playlists
import SCTE35
import Testing
import TimedText

@testable import Control

/// Commands with numbers and times that hardly anything can count with: each is taken, or refused in words.
@Suite struct ExtremeValueTests {
    private static let values = [
        "0", "-0.0", "-1", "0.5", "1e-300", "1e300", "-1e300", "1e308", "1e999", "-1e999", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "18446744073709551616", "4294967296", "86400", "86400.0005",
        "2678400", "null", "true", "[]", "{}", #""""#, #""now""#, #""NaN""#, #""1e300""#,
        #""0000-01-01T00:00:00Z""#, #""0001-01-01T00:00:00+99:99""#, #""1969-12-31T23:59:59.999999Z""#,
        #""1970-01-01T00:00:00Z""#, #""2038-01-19T03:14:08Z""#, #""8312-01-01T00:00:00Z""#,
        #""9999-12-31T23:59:60Z""#, #""9999-12-31T23:59:59-99:99""#, #""2026-02-30T00:00:00Z""#,
    ]

    private static let splice = [
        "event", "out", "at", "duration", "auto-return", "program", "avail", "avails-expected", "type", "segment",
        "segments-expected", "upid", "section",
    ]
    private static let range = [
        "ID", "CLASS", "START-DATE", "END-DATE", "DURATION", "PLANNED-DURATION", "X-A", "announce", "CUE",
    ]

    private static let section: String = {
        let details = SpliceInsert.Details(isOut: true, place: .program(0))
        let section = SpliceInfoSection(.insert(SpliceInsert(eventID: 7, details: details)))
        return (try? section.bytes().hex) ?? ""
    }()

    /// A body with one value replaced, and the rest as it should be.
    private static func bodies(_ fields: [String: String], _ names: [String]) -> [ByteBuffer] {
        names.flatMap { name in
            values.map { value in
                let all = fields.merging([name: value]) { $1 }
                let members = all.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1)" }
                return ByteBuffer(string: "{\(members.joined(separator: ", "))}")
            }
        }
    }

    private static let nows = [MediaTime(seconds: 172_800), Fixture.now, MediaTime(ticks: 1 << 53)]

    private static func check(_ bodies: [ByteBuffer], _ read: (ByteBuffer, MediaTime) throws -> [MediaTime]) {
        var taken = 0
        for body in bodies {
            for now in nows {
                do {
                    let times = try read(body, now)
                    let isSensible = times.allSatisfy(MediaTime.eventTimes.contains)
                    #expect(isSensible, "\(String(buffer: body))")
                    taken += 1
                } catch let error as MalformedRequest {
                    #expect(!error.problems.isEmpty)
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
        #expect(taken > 0)
    }

    @Test(arguments: [
        ["event": "1", "out": "true", "at": #""now""#], ["event": "1", "type": "52", "at": #""now""#],
        ["section": "\"\(section)\""],
    ])
    func extremeSplicesAreReadOrRefused(fields: [String: String]) {
        Self.check(Self.bodies(fields, Self.splice)) { body, now in
            try PostedSplice.posted(json: body, now: now).map(\.time)
        }
    }

    @Test func extremeDateRangesAreReadOrRefused() {
        Self.check(Self.bodies(["ID": #""a""#, "CLASS": #""c""#], Self.range)) { body, now in
            try DateRangeCommand.posted(json: body, now: now).flatMap {
                [$0.range.start, $0.range.end].compactMap(\.self)
            }
        }
    }

    @Test func extremeMetadataIsReadOrRefused() {
        let fields = ["frames": #"[{"id": "TIT2", "value": "x"}]"#]
        Self.check(Self.bodies(fields, ["at", "frames", "tag"])) { body, now in
            try PostedMetadata.posted(json: body, now: now).map(\.time)
        }
    }

    @Test func extremeCuesAreReadOrRefused() {
        let fields = ["language": #""en""#, "text": #""x""#, "duration": "1"]
        Self.check(Self.bodies(fields, ["start", "end", "duration", "text", "settings"])) { body, now in
            try CueCommand(json: body, now: now).cues.map(\.start)
        }
    }

    @Test(arguments: ["now", "midnight", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"])
    func extremeCueDocumentsAreReadOrRefused(origin: String) {
        let times = [
            "00:00.000", "23:59:59.999", "99999:00:00.000", "4294967296:00:00.000", "9223372036854775807:00:00.000",
        ]
        let documents = times.map { ByteBuffer(string: "WEBVTT\n\n\($0) --> 4294967296:59:59.999\nx\n") }
        for now in Self.nows {
            for document in documents {
                do throws(MalformedRequest) {
                    let target = "/channels/live/cues?language=en&origin=\(origin)"
                    let cues = try CueCommand(webVTT: document, target: target, now: now).cues
                    let isSensible = cues.allSatisfy { MediaTime.eventTimes.contains($0.end) }
                    #expect(isSensible)
                } catch {
                    #expect(!error.problems.isEmpty)
                }
            }
        }
    }

    /// Bytes of other encodings look like brackets that are none.
    @Test(arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32LittleEndian])
    func onlyUTF8IsRead(encoding: String.Encoding) throws {
        let text = "{\"ID\": \"\u{7D7D}\u{7D7D}:\", \"ID\": \"\u{3A3A}\u{2222}\u{5C5C}\"}"
        let body = ByteBuffer(bytes: try #require(text.data(using: encoding)))
        #expect(throws: MalformedRequest("the body is not a JSON object")) {
            try DateRangeCommand.posted(json: body, now: Fixture.now)
        }
    }

    @Test func extremeEventQueriesAreReadOrRefused() {
        let values = ["0", "-1", "9223372036854775807", "9223372036854775808", "1e3", "", "0001-01-01T00:00:00Z"]
        for name in ["after", "before", "limit", "from", "to"] {
            for value in values {
                do throws(MalformedRequest) {
                    _ = try EventQuery(target: "/events?\(name)=\(value)")
                } catch {
                    #expect(!error.problems.isEmpty)
                }
            }
        }
    }
}
