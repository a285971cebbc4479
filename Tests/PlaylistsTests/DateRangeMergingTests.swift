import MediaCore
import Testing

@testable import Playlists

/// Tags that are one range.
@Suite struct DateRangeMergingTests {
    private static let start = MediaTime(seconds: 1_795_262_400)

    private static func tag(_ attributes: String, id: String = "a") throws -> DateRange {
        try #require(DateRange(text: "ID=\"\(id)\",START-DATE=\"\(start.iso8601)\",\(attributes)"))
    }

    @Test func theRestIsWhatWasNotSaid() throws {
        let told = try Self.tag(#"CLASS="c",X-A=1"#)
        let whole = try Self.tag(#"CLASS="c",END-ON-NEXT=YES,X-A=1,X-B=0x0A"#)
        let rest = try #require(whole.rest(after: told))
        #expect(rest.text == #"ID="a",START-DATE="\#(Self.start.iso8601)",X-B=0x0A,END-ON-NEXT=YES"#)
        #expect([told, rest].merged.map(\.attributes.attributes.count) == [whole.attributes.attributes.count])
        #expect(whole.rest(after: try #require([told, rest].merged.first)) == nil)
    }

    @Test func theAttributesThatWouldChangeAreNamed() throws {
        let told = try Self.tag(#"CLASS="c",DURATION=2,X-A=1,X-B="b""#)
        let other = try Self.tag(#"CLASS="d",DURATION=2.000,X-A=2,X-B="b",X-C=3"#)
        #expect(told.attributesAltered(by: other) == ["CLASS", "X-A"])
        #expect(told.isAltered(by: other))
        #expect(told.attributesAltered(by: try Self.tag("X-C=3")).isEmpty)
    }

    @Test func oneWithEndOnNextEndsWhereTheNextOfItsClassBegins() throws {
        let one = try Self.tag(#"CLASS="c",END-ON-NEXT=YES"#)
        var (other, next) = (one, one)
        (other.id, other.className, other.start) = ("b", "d", Self.start + MediaTime(seconds: 2))
        (next.id, next.start) = ("c", Self.start + MediaTime(seconds: 9))
        #expect([one, other].end(of: "a") == nil)
        #expect([next, one, other].end(of: "a") == next.start)
        #expect([one, next].reaching(Self.start + MediaTime(seconds: 10)) == [next])
    }
}
