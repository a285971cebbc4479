import ContentProtection
import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Rekeying

@Suite struct SegmentOpenerTests {
    /// Documents and servers may give keys of any cipher.
    @Test(arguments: [(EncryptionKey.Method.aes128, KeySize.bits256, 16), (.aes256GCM, .bits128, 32)])
    func keyOfAnotherLengthIsAnError(method: EncryptionKey.Method, given: KeySize, wanted: Int) throws {
        let secret = try #require(MasterSecret(Array(1...32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil, keySize: given)
        let key = try schedule.keys(for: CryptoPeriod(0), .video)
        let opener = SegmentOpener(known: [key.keyID: key])
        let listed = [EncryptionKey(method: method, uri: "keys/\(key.keyID)")]
        let error = #expect(throws: RekeyingError.self) {
            try opener.opened(ByteBuffer(repeating: 0, count: 64), "video/1.m4s", number: nil, keys: listed)
        }
        #expect(error?.description == "video/1.m4s: METHOD=\(method.rawValue) wants keys of \(wanted) bytes")
    }
}
