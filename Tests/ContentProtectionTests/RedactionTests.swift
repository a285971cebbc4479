import ContentProtection
import MediaCore
import Testing

@Suite struct RedactionTests {
    /// Every way in which a value turns into text by itself.
    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let children = Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }
        return [String(describing: value), String(reflecting: value), "\(value)", "\([value])", dumped] + children
    }

    @Test func noTextOfAKeyShowsAByteOfIt() {
        let secret = Bytes16(repeating: 0xA7)
        let key = PeriodKey(
            period: CryptoPeriod(1),
            keyClass: .video,
            keyID: KeyID(Bytes16(repeating: 1)),
            contentKey: ContentKey(secret),
            constantIV: Bytes16(repeating: 2)
        )
        for text in texts(of: key.contentKey) + texts(of: key) + texts(of: Optional(key.contentKey) as Any) {
            #expect(!text.lowercased().contains("a7a7"))
            #expect(!text.contains("\(secret.high)"))
        }
        #expect("\(key.contentKey)" == "ContentKey(redacted)")
    }

    @Test func noTextOfAMasterSecretOrAScheduleShowsAByteOfIt() throws {
        let secret = try #require(MasterSecret([UInt8](repeating: 0xA7, count: 32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 1)
        let texts = texts(of: secret) + texts(of: schedule)
        for text in texts {
            #expect(!text.lowercased().contains("a7a7"))
            #expect(!text.contains("167"))
        }
        #expect("\(secret)" == "MasterSecret(redacted)")
    }
}
