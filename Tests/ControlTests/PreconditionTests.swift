import HTTPServing
import NIOHTTP1
import Testing

@testable import Control

@Suite struct PreconditionTests {
    private static func allows(_ fields: HTTPHeaders, _ tag: String?) -> Bool {
        Precondition(Request(.PUT, "/", fields)).allows(tag)
    }

    @Test func requestWithoutPreconditionIsAllowed() {
        #expect(Self.allows([:], nil))
        #expect(Self.allows([:], "\"a\""))
    }

    /// RFC 9110 § 13.1.1.
    @Test func ifMatchAllowsTheTagThatItNames() {
        #expect(Self.allows(["If-Match": "\"a\""], "\"a\""))
        #expect(Self.allows(["If-Match": "\"b\" , \"a\""], "\"a\""))
        #expect(!Self.allows(["If-Match": "\"b\""], "\"a\""))
        #expect(!Self.allows(["If-Match": "W/\"a\""], "\"a\""))
        #expect(!Self.allows(["If-Match": "\"a\""], nil))
        #expect(!Self.allows(["If-Match": ""], "\"a\""))
        #expect(Self.allows(["If-Match": " * "], "\"a\""))
        #expect(!Self.allows(["If-Match": "*"], nil))
    }

    /// RFC 9110 § 13.1.2.
    @Test func ifNoneMatchRefusesTheTagThatItNames() {
        #expect(Self.allows(["If-None-Match": "*"], nil))
        #expect(!Self.allows(["If-None-Match": "*"], "\"a\""))
        #expect(!Self.allows(["If-None-Match": "\"a\""], "\"a\""))
        #expect(Self.allows(["If-None-Match": "\"b\""], "\"a\""))
    }

    /// RFC 9110 § 5.6.1.2 and 8.8.3: elements may be empty, tags may have commas, and what is malformed allows nothing.
    @Test func listsAreReadTagByTag() {
        #expect(Self.allows(["If-Match": "\"a\",,\"b\""], "\"b\""))
        #expect(Self.allows(["If-Match": "\"a,b\""], "\"a,b\"") && !Self.allows(["If-Match": "\"a,b\""], "\"a\""))
        #expect(!Self.allows(["If-Match": "junk, \"a\""], "\"a\""))
        #expect(!Self.allows(["If-None-Match": "junk, \"x\""], "\"x\""))
        #expect(!Self.allows(["If-None-Match": "junk"], "\"x\"") && Self.allows(["If-None-Match": "junk"], nil))
    }
}
