import MediaCore

/// The bytes that hexadecimal digits name; other characters are skipped.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

extension Bytes16 {
    /// Sixteen equal bytes.
    init(repeating byte: UInt8) {
        let word = UInt64(byte) * 0x0101_0101_0101_0101
        self.init(high: word, low: word)
    }
}

/// NIST SP 800-38A § F.2.1, CBC-AES128.Encrypt.
enum PublishedCBC {
    static let key = hex("2b7e151628aed2a6abf7158809cf4f3c")
    static let iv = hex("000102030405060708090a0b0c0d0e0f")
    static let plaintext = hex(
        """
        6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
        30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710
        """
    )
    static let ciphertext = hex(
        """
        7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2
        73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7
        """
    )
}
