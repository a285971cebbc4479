import Files
import Testing

@Suite struct CRC32Tests {
    @Test(arguments: [("", "00000000"), ("123456789", "cbf43926"), ("\u{0}\u{0}\u{0}\u{0}", "2144df1c")])
    func theChecksumOf(text: String, hex: String) {
        var checksum = CRC32()
        checksum.update(text.utf8)
        #expect(checksum.hex == hex)
    }
}
