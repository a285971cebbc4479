import Origin
import TestSupport
import Testing

@Suite struct RequestedRangeTests {
    @Test(arguments: [
        (nil, RequestedRange.whole),
        ("bytes=0-", .part(0..<10)),
        ("bytes=0-0", .part(0..<1)),
        ("bytes=2-5", .part(2..<6)),
        ("bytes=9-9", .part(9..<10)),
        ("bytes=5-99", .part(5..<10)),
        ("bytes=5-99999999999999999999999", .part(5..<10)),
        ("bytes=-3", .part(7..<10)),
        ("bytes=-10", .part(0..<10)),
        ("bytes=-11", .part(0..<10)),
        ("bytes=-99999999999999999999999", .part(0..<10)),
        ("Bytes= 2-5 ", .part(2..<6)),
        ("bytes=10-", .unsatisfiable),
        ("bytes=10-12", .unsatisfiable),
        ("bytes=9223372036854775807-", .unsatisfiable),
        ("bytes=99999999999999999999999-", .unsatisfiable),
        ("bytes=-0", .unsatisfiable),
        ("", .whole),
        ("bytes", .whole),
        ("bytes=", .whole),
        ("bytes=-", .whole),
        ("bytes=--1", .whole),
        ("bytes=5-2", .whole),
        ("bytes=a-b", .whole),
        ("bytes=+1-2", .whole),
        ("bytes=1-2-3", .whole),
        ("bytes=0-1,3-4", .whole),
        ("bytes=0x1-", .whole),
        ("bytes=١-", .whole),
        ("seconds=0-1", .whole),
        ("bytes =0-1", .whole),
    ])
    func fieldMeansARange(field: String?, range: RequestedRange) {
        #expect(RequestedRange(field, length: 10) == range)
    }

    @Test func nothingOfNothingIsUnsatisfiable() {
        #expect(RequestedRange("bytes=0-", length: 0) == .unsatisfiable)
        #expect(RequestedRange("bytes=-1", length: 0) == .unsatisfiable)
    }

    @Test func aPartIsNeverEmptyAndAlwaysInside() {
        var generator = SeededGenerator(seed: 2)
        let pieces = [
            "bytes", "=", "-", ",", " ", "0", "1", "7", "99", "9223372036854775807", "18446744073709551616", "x",
        ]
        for _ in 0..<20_000 {
            let field = (0..<6).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let length = Int.random(in: 0...100, using: &generator)
            if case .part(let range) = RequestedRange("bytes=" + field, length: length) {
                #expect(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= length)
            }
        }
    }
}
