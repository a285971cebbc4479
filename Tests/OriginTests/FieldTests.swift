import HTTPServing
import MediaCore
import Origin
import Testing

@Suite struct EntityTagTests {
    @Test(arguments: [
        (#""abc""#, true), (#"W/"abc""#, true), ("*", true), (#" "x" , "abc""#, true), (#""x",W/"abc","y""#, true),
        (#""a,b", "abc""#, true), (#""ab""#, false), (#""x", "y""#, false), ("abc", false), ("", false), (",", false),
        (#""abc"#, false), (#"W/"#, false), (#""x" "abc""#, false), (#"w/"abc""#, false),
    ])
    func ifNoneMatchComparesWeakly(field: String, matches: Bool) {
        #expect(EntityTag.isListed(in: field, #""abc""#) == matches)
    }

    @Test(arguments: [
        (#""abc""#, true), (#" "abc" "#, true), (#"W/"abc""#, false), (#""x""#, false), (#""abc", "x""#, false),
        ("*", false), ("Sun, 06 Nov 1994 08:49:37 GMT", false),
    ])
    func ifRangeComparesStrongly(field: String, matches: Bool) {
        #expect(EntityTag.allowsRange(ifRange: field, #""abc""#) == matches)
    }
}

@Suite struct AcceptEncodingTests {
    @Test(arguments: [
        (nil, false), ("", false), ("gzip", true), ("GZip", true), ("x-gzip", true), ("*", true),
        ("deflate, br", false),
        ("br, gzip;q=0.5", true), ("gzip; q=0.001", true), ("gzip;q=0", false), ("gzip ; q=0.000", false),
        ("gzip;Q=0.0", false), ("*;q=0", false), ("gzip;q=0, *", false), ("*;q=0, gzip", true), ("*, gzip;q=0", false),
        ("identity", false), ("gzipped", false), (";;,,;q=0", false), ("gzip;q=", true),
        ("gzip; q = 0", false), ("gzip;\tq= 0.0", false), ("gzip;q=1.0 , *;q=0", true), ("gzip; q = 0.1", true),
    ])
    func gzipIsAllowedByName(field: String?, isAllowed: Bool) {
        #expect(AcceptEncoding(field).allowsGzip == isAllowed)
    }

    @Test(arguments: [
        (nil, true), ("", true), ("gzip", true), ("gzip, identity;q=0", false), ("identity; q = 0", false),
        ("*;q=0", false), ("*;q=0, identity", true), ("identity;q=0.5, *;q=0", true), ("gzip;q=0", true),
    ])
    func identityIsAllowedUnlessItIsExcluded(field: String?, isAllowed: Bool) {
        #expect(AcceptEncoding(field).allowsIdentity == isAllowed)
    }
}

@Suite struct HTTPDateTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (1_709_251_200, "Fri, 01 Mar 2024 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func isWrittenAsIMFFixdate(seconds: Int64, text: String) {
        #expect(HTTPDate.text(MediaTime(seconds: seconds) + MediaTime(ticks: 89_999)) == text)
    }
}
