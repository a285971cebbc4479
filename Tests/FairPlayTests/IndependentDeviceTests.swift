import FairPlay
import FairPlaySupport
import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

/// A device in Python, which shares nothing with what is tested.
@Suite struct IndependentDeviceTests {
    private static let script = Repository.script("FairPlayTests/device.py")

    private struct License: Decodable {
        var contentKey: String
        var iv: String
        var fields: [String: String]
    }

    private struct Secrets: Decodable {
        var spc: String
        var hu: String
    }

    @Test(arguments: SPCVersion.allCases)
    func itReadsTheKeyAndTheTerms(version: SPCVersion) async throws {
        let credentials: TestCredentials = version == .one ? .bits1024 : .bits2048
        let made = try await Program.run(
            Repository.python,
            [
                Self.script, "make", "\(version.rawValue)", credentials.certificatePath,
                String(decoding: credentials.provisioningData, as: UTF8.self),
            ]
        )
        let secrets = try JSONDecoder().decode(Secrets.self, from: Data(made.utf8))
        let spc = ByteBuffer(bytes: try #require(bytes(secrets.spc)))
        let terms = KeyTerms(
            validity: .offline(
                KeyTerms.OfflineValidity(
                    storageSeconds: 86_400,
                    playbackSeconds: 7200,
                    streamID: Bytes16(high: 1, low: 2),
                    titleID: Bytes16(high: 3, low: 4)
                )
            ),
            hdcp: .type1,
            securityLevel: .main
        )
        let answer = try KeySecurityModule.test().answer(spc, terms: terms)
        #expect(answer.deviceID.hex == secrets.hu)
        let read = try await Program.run(
            Repository.python,
            [Self.script, "open", made, answer.ckc.readableBytesView.hex]
        )
        let license = try JSONDecoder().decode(License.self, from: Data(read.utf8))
        #expect(license.contentKey == KeyGrant.key.hex)
        #expect(license.iv == KeyGrant.iv.hex)
        #expect(
            license.fields["6375d9727060218c"] == "0000000200000000" + Bytes16(high: 1, low: 2).hex
                + "0001518000001c20" + Bytes16(high: 3, low: 4).hex
        )
        #expect(license.fields["2e52f1530d8ddb4a"] == "285a0863bba8e1d30000000000000000")
        #expect(license.fields["644cb1dac0313250"] == "00000001000000004e7fd92421d588b4")
        #expect(license.fields["47acf6a418cd091a"] == nil)
    }

    private func bytes(_ hex: String) -> [UInt8]? {
        let digits = Array(hex)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(digits[index..<min(index + 2, digits.count)]), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}
