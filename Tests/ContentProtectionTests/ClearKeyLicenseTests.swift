import ContentProtection
import MediaCore
import TestSupport
import Testing

@Suite struct ClearKeyLicenseTests {
    private func keyIDs(_ json: String) throws -> [String] {
        try ClearKeyLicense.Request(json: json.utf8).keyIDs.map(\.description)
    }

    @Test func requestNamesKeyIDs() throws {
        let json = #"{"kids":["LwVHf8JLtPrv2GUXFW2v_A","AAAAAAAAAAAAAAAAAAAAAA"],"type":"temporary"}"#
        #expect(try keyIDs(json) == ["2f05477fc24bb4faefd86517156daffc", "00000000000000000000000000000000"])
    }

    @Test func typeMayBeAbsentAndOtherMembersAreIgnored() throws {
        #expect(try keyIDs(#"{"x":[1],"kids":["_-8AAAAAAAAAAAAAAAAAAA"]}"#) == ["ffef0000000000000000000000000000"])
        #expect(try keyIDs(#"{"kids":[]}"#).isEmpty)
    }

    /// Each key costs work, however often it is named.
    @Test func aRequestNamesFewKeysEachOnce() throws {
        func json(_ count: Int, _ text: (Int) -> String) -> String {
            #"{"kids":[\#((0..<count).map { "\"\(text($0))\"" }.joined(separator: ","))]}"#
        }
        let many = { (number: Int) in "LwVHf8JLtPrv2GUXFW2\(10 + number)A" }
        #expect(try keyIDs(json(ClearKeyLicense.mostKeys, many)).count == ClearKeyLicense.mostKeys)
        #expect(throws: ClearKeyLicense.RequestError.malformed) { try keyIDs(json(ClearKeyLicense.mostKeys + 1, many)) }
        #expect(try keyIDs(json(3) { _ in "LwVHf8JLtPrv2GUXFW2v_A" }).count == 1)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"kids":"x"}"#, #"{"kids":[1]}"#, #"{"kids":[null]}"#, "null"])
    func otherDocumentsAreMalformed(json: String) {
        #expect(throws: ClearKeyLicense.RequestError.malformed) { try keyIDs(json) }
    }

    @Test(arguments: ["", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAAAAAAAAAAA+/"])
    func otherKeyIDsAreMalformed(text: String) {
        #expect(throws: ClearKeyLicense.RequestError.malformedKeyID(text)) { try keyIDs(#"{"kids":["\#(text)"]}"#) }
    }

    @Test func persistentLicencesAreNotGiven() {
        #expect(throws: ClearKeyLicense.RequestError.unsupportedSessionType("persistent-license")) {
            try keyIDs(#"{"kids":[],"type":"persistent-license"}"#)
        }
    }

    @Test func responseIsAKeySet() throws {
        let key = { (id: String, secret: UInt8) in
            PeriodKey(
                period: CryptoPeriod(0),
                keyClass: .video,
                keyID: KeyID(try #require(Bytes16(hex: id))),
                contentKey: ContentKey(Bytes16(repeating: secret)),
                constantIV: Bytes16(repeating: 0)
            )
        }
        let keys = [try key("2f05477fc24bb4faefd86517156daffc", 0xFF), try key("fb000000000000000000000000000001", 0)]
        #expect(
            ClearKeyLicense.response(keys)
                == #"{"keys":[{"kty":"oct","kid":"LwVHf8JLtPrv2GUXFW2v_A","k":"_____________________w"},"#
                + #"{"kty":"oct","kid":"-wAAAAAAAAAAAAAAAAAAAQ","k":"AAAAAAAAAAAAAAAAAAAAAA"}],"type":"temporary"}"#
        )
        #expect(ClearKeyLicense.response([]) == #"{"keys":[],"type":"temporary"}"#)
    }

    @Test func damagedRequestsGiveErrorsOrKeyIDsButNeverTrap() {
        var random = SeededGenerator(seed: 3)
        let request = Array(#"{"kids":["LwVHf8JLtPrv2GUXFW2v_A"],"type":"temporary"}"#.utf8)
        for _ in 0..<2000 {
            var bytes = request
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0 ... .max, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[index], at: index)
                }
            }
            _ = try? ClearKeyLicense.Request(json: bytes)
        }
    }
}
