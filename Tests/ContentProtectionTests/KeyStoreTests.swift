import ContentProtection
import MediaCore
import Testing

@Suite struct KeyStoreTests {
    @Test func theOldestOfAClassGoAndTheOtherClassStays() throws {
        let secret = try #require(MasterSecret(Array(1...32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 1)
        let store = KeyStore()
        let audio = try schedule.keys(for: CryptoPeriod(0), .audio)
        store.insert(audio)
        let video = try (0..<100 as Range<Int64>).map { try schedule.keys(for: CryptoPeriod($0), .video) }
        for key in video { store.insert(key) }
        #expect(try store.key(audio.keyID) == audio)
        for key in video.suffix(64) { #expect(try store.key(key.keyID) == key) }
        for key in video.prefix(36) { #expect(throws: MissingKey.self) { try store.key(key.keyID) } }
    }
}
