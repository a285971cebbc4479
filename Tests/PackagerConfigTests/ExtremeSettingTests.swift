import Testing

@testable import PackagerConfig

/// Values that hardly anything can count with, in every setting: each is taken, or refused.
@Suite struct ExtremeSettingTests {
    private static let values = [
        "0", "-1", "-0.0", "0.001", "0.0001", "1e300", "-1e300", "1e999", "NaN", ".nan", ".inf", "-.inf", "inf",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616", "999999999",
        "9999999999", "86400", "2678400", "1024G", "99999999999G", "999999999999", "10000M", "-14:00", "+14:00",
        "+99:59", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "0x7fffffff", "video-1080p=10000M/1e9",
        "video-1080p=1e400", "[]", "{}", "null", "~", "true",
    ]

    @Test(arguments: (Setting.ofProcess + Setting.ofChannel).map(\.name))
    func everyValueIsTakenOrRefused(name: String) {
        var refused = 0
        for value in Self.values {
            for text in ["input: a.ts\n\(name): \(value)\n", "input: a.ts\n\(name): [\(value)]\n"] {
                if !problems(yaml: text).isEmpty { refused += 1 }
            }
        }
        // No setting takes everything.
        #expect(refused > 0)
    }
}
