import Testing

@testable import ContentProtection

@Suite struct HKDFTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var secret: [UInt8]
        var salt: [UInt8]
        var info: [UInt8]
        var output: [UInt8]

        var testDescription: String { name }
    }

    @Test(arguments: [
        Vector(
            name: "RFC 5869 A.1",
            secret: [UInt8](repeating: 0x0B, count: 22),
            salt: hex("000102030405060708090a0b0c"),
            info: hex("f0f1f2f3f4f5f6f7f8f9"),
            output: hex(
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            )
        ),
        Vector(
            name: "RFC 5869 A.2",
            secret: Array(0x00...0x4F),
            salt: Array(0x60...0xAF),
            info: Array(0xB0...0xFF),
            output: hex(
                """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
                59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71
                cc30c58179ec3e87c14c01d5c1f3434f1d87
                """
            )
        ),
        Vector(
            name: "RFC 5869 A.3",
            secret: [UInt8](repeating: 0x0B, count: 22),
            salt: [],
            info: [],
            output: hex(
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
            )
        ),
    ])
    func publishedVectors(_ vector: Vector) throws {
        let output = try HKDF.derive(
            secret: vector.secret,
            salt: vector.salt,
            info: vector.info,
            count: vector.output.count
        )
        #expect(output == vector.output)
    }

    @Test func moreThan255DigestsAreAnErrorThatNamesTheCall() {
        let error = #expect(throws: OpenSSLError.self) {
            try HKDF.derive(secret: [1], salt: [], info: [], count: 255 * 32 + 1)
        }
        #expect(error?.operation == "EVP_KDF_derive")
        #expect(error?.description.hasPrefix("EVP_KDF_derive: error:") == true)
    }
}
