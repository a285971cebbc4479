import HTTPTypes
import Testing

@testable import Control

@Suite struct PreconditionTests {
    private static func allows(_ fields: HTTPFields, _ tag: String?) -> Bool { Precondition(fields).allows(tag) }

    @Test func withoutOneAllIsAllowed() {
        #expect(Self.allows([:], nil))
        #expect(Self.allows([:], "\"a\""))
    }

    /// RFC 9110 § 13.1.1.
    @Test func ifMatch() {
        #expect(Self.allows([.ifMatch: "\"a\""], "\"a\""))
        #expect(Self.allows([.ifMatch: "\"b\" , \"a\""], "\"a\""))
        #expect(!Self.allows([.ifMatch: "\"b\""], "\"a\""))
        #expect(!Self.allows([.ifMatch: "W/\"a\""], "\"a\""))
        #expect(!Self.allows([.ifMatch: "\"a\""], nil))
        #expect(!Self.allows([.ifMatch: ""], "\"a\""))
        #expect(Self.allows([.ifMatch: " * "], "\"a\""))
        #expect(!Self.allows([.ifMatch: "*"], nil))
    }

    /// RFC 9110 § 13.1.2.
    @Test func ifNoneMatch() {
        #expect(Self.allows([.ifNoneMatch: "*"], nil))
        #expect(!Self.allows([.ifNoneMatch: "*"], "\"a\""))
        #expect(!Self.allows([.ifNoneMatch: "\"a\""], "\"a\""))
        #expect(Self.allows([.ifNoneMatch: "\"b\""], "\"a\""))
    }
}
