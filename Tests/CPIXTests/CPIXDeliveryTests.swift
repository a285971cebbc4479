import ContentProtection
import Foundation
import MediaCore
import Testing
import XML

@testable import CPIX

/// Content keys that are encrypted for their recipients, as OpenSSL reads and writes them.
@Suite struct CPIXDeliveryTests {
    private static let keyID = KeyID(Bytes16(high: 1, low: 2))
    private static let value = Bytes16(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)

    private static func document(for certificates: [Certificate]) -> CPIXDocument {
        var document = CPIXDocument(
            contentID: "live",
            keys: [.init(keyID: keyID, scheme: .cbcs, value: ContentKey(value))],
            periods: [],
            usageRules: [.init(keyID: keyID, .video, in: nil)]
        )
        document.recipients = certificates
        return document
    }

    private static func bytes(_ element: Element?) throws -> [UInt8] {
        let data = try #require(element).element("CipherData", .encryption)
        return try #require(data?.element("CipherValue", .encryption)?.text.decodedBase64)
    }

    @Test func whatIsEncryptedIsOpenedByEachRecipientAndNobodyElse() async throws {
        let (one, two, other) = (try await Judge(), try await Judge(), try await Judge())
        let document = Self.document(for: [one.certificate, two.certificate])
        let text = try document.xml()
        #expect(!text.contains(Self.value.base64))
        for judge in [one, two] { #expect(try CPIXDocument(parsing: text.utf8, for: judge.privateKey) == document) }
        let error = #expect(throws: CPIXError.self) { try CPIXDocument(parsing: text.utf8, for: other.privateKey) }
        #expect(try #require(error).message == "the document is for 2 others")
        #expect(throws: CPIXError.self) { try CPIXDocument(parsing: text.utf8) }
    }

    /// Every step by OpenSSL's program: the document key, the authentication code and the content key.
    @Test func opensslOpensWhatIsWritten() async throws {
        let judge = try await Judge()
        let root = try Element(parsing: Self.document(for: [judge.certificate]).xml().utf8)
        let delivery = try #require(root.element("DeliveryDataList")?.element("DeliveryData"))
        let oaep = ["pkeyutl", "-decrypt", "-inkey", judge.keyFile, "-pkeyopt", "rsa_padding_mode:oaep"]
        let secret = delivery.element("DocumentKey")?.element("Data")?.element("Secret", .pskc)
        let documentKey = try await judge.openssl(oaep, on: Self.bytes(secret?.element("EncryptedValue", .pskc)))
        let macKey = delivery.element("MACMethod")?.element("MACKey", .pskc)
        let authenticationKey = try await judge.openssl(oaep, on: Self.bytes(macKey))
        #expect(documentKey.count == 32)
        let key = root.element("ContentKeyList")?.element("ContentKey")?.element("Data")?.element("Secret", .pskc)
        let cipher = try Self.bytes(key?.element("EncryptedValue", .pskc))
        #expect(cipher.count == 48)
        let aes = ["enc", "-d", "-aes-256-cbc", "-K", documentKey.hex, "-iv", cipher.prefix(16).hex]
        #expect(try await judge.openssl(aes, on: Array(cipher.dropFirst(16))) == Self.value.bytes)
        let mac = ["mac", "-digest", "SHA512", "-macopt", "hexkey:\(authenticationKey.hex)", "-binary"]
        let code = try await judge.openssl(mac, on: cipher, algorithm: ["HMAC"])
        #expect(code == key?.element("ValueMAC", .pskc)?.text.decodedBase64)
    }

    @Test func whatWasChangedOnItsWayIsRefused() async throws {
        let judge = try await Judge()
        let text = try Self.document(for: [judge.certificate]).xml()
        let codes = text.matches(of: /<pskc:ValueMAC>([^<]*)</).map { String($0.output.1) }
        let ciphers = text.matches(of: /<enc:CipherValue>([^<]*)</).map { String($0.output.1) }
        let (code, cipher) = (try #require(codes.first), try #require(ciphers.last))
        var damaged: [(String, String)] = []
        for value in [code, cipher] {
            var bytes = try #require(value.decodedBase64)
            bytes[20] ^= 1
            damaged.append((text.replacing(value, with: bytes.base64), "one of them was changed"))
        }
        damaged.append((text.replacing("<pskc:ValueMAC>\(code)</pskc:ValueMAC>", with: ""), "it has no ValueMAC"))
        damaged.append((text.replacing("hmac-sha512", with: "hmac-md5"), "MACMethod@Algorithm"))
        damaged.append((text.replacing("rsa-oaep-mgf1p", with: "rsa-1_5"), "EncryptionMethod@Algorithm"))
        let named = text.replacing("<cpix:DocumentKey>", with: "<cpix:DocumentKey encryptsKey=\"one\">")
        damaged.append((named, "'one' is not the UUID"))
        damaged.append((text.replacing(ciphers[0], with: ciphers[1]), "a document key has 32 bytes"))
        damaged.append(
            (text.replacing(ciphers[0], with: [UInt8](repeating: 7, count: 256).base64), "cannot be decrypted")
        )
        for (text, message) in damaged {
            let error = #expect(throws: CPIXError.self) {
                try CPIXDocument(parsing: text.utf8, for: judge.privateKey)
            }
            #expect(try #require(error).description.contains(message), "\(error.map { "\($0)" } ?? "")")
        }
    }

    @Test func aRequestNamesItsRecipientOnly() async throws {
        let judge = try await Judge()
        var document = Self.document(for: [judge.certificate])
        document.keys[0].value = nil
        let text = try document.xml()
        #expect(!text.contains("DocumentKey"))
        #expect(text.contains(judge.certificate.der.base64))
    }
}
