import ContentProtection
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import CPIX

@Suite struct CPIXDocumentTests {
    /// A document as a key server answers, with prefixes of its own, and more than the packager needs.
    static let answer = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- made by hand -->
        <c:CPIX contentId="a &amp; b" version="2.4" xmlns:c="urn:dashif:org:cpix"
            xmlns:k="urn:ietf:params:xml:ns:keyprov:pskc" xmlns="urn:other">
          <c:ContentKeyList>
            <c:ContentKey kid="98EE5596-CD3E-A20D-163A-E382420C6EFF" explicitIV="OFj2IjCsPJFfMAxmQxLGPw=="
                commonEncryptionScheme="cbcs">
              <c:HDCPData HLSHDCPLevel="TYPE-1"><c:HDCPOutputProtectionData>PGEvPg==</c:HDCPOutputProtectionData></c:HDCPData>
              <c:Data><k:Secret><k:PlainValue> 5dGAgwGuUYu4dHeH
                tNlxJw== </k:PlainValue></k:Secret></c:Data>
            </c:ContentKey>
            <c:ContentKey kid="53abdba2-f210-43cb-bc90-f18f9a890a02" commonEncryptionScheme="cbcs">
              <c:Data><k:Secret><k:PlainValue><![CDATA[s/zSNTG4TR2jY04srqSqFQ==]]></k:PlainValue></k:Secret></c:Data>
            </c:ContentKey>
          </c:ContentKeyList>
          <c:DRMSystemList>
            <c:DRMSystem kid="98ee5596-cd3e-a20d-163a-e382420c6eff" systemId="94CE86FB-07FF-4F43-ADB8-93D2FA968CA2"
                HLSAllowedCPC="SUPER">
              <c:PSSH>AAAA</c:PSSH>
              <c:ContentProtectionData>PGEvPg==</c:ContentProtectionData>
              <c:HLSSignalingData>I0VYVC1YLUtFWQ==</c:HLSSignalingData>
              <c:HLSSignalingData playlist="multiVariant">I0VYVC1YLVNFU1NJT04tS0VZ</c:HLSSignalingData>
              <more/>
            </c:DRMSystem>
          </c:DRMSystemList>
          <c:ContentKeyPeriodList>
            <c:ContentKeyPeriod id="p" index="7" start="2026-01-01T01:00:00+01:00" end="2026-01-01T00:00:06Z"/>
          </c:ContentKeyPeriodList>
          <c:ContentKeyUsageRuleList>
            <c:ContentKeyUsageRule kid="98ee5596-cd3e-a20d-163a-e382420c6eff" intendedTrackType="UHD+HDR">
              <c:KeyPeriodFilter periodId="p"/>
              <c:VideoFilter minPixels="589825" hdr="true" maxFps="30"/>
            </c:ContentKeyUsageRule>
            <c:ContentKeyUsageRule kid="53abdba2-f210-43cb-bc90-f18f9a890a02" intendedTrackType="AUDIO">
              <c:KeyPeriodFilter periodId="p"/><c:AudioFilter maxChannels="2"/>
            </c:ContentKeyUsageRule>
          </c:ContentKeyUsageRuleList>
        </c:CPIX>
        """

    static let start = MediaTime(seconds: 1_767_225_600)

    @Test func whatAServerAnswersIsRead() throws {
        let document = try CPIXDocument(parsing: Self.answer.utf8)
        #expect(document.contentID == "a & b")
        #expect(document.version == "2.4")
        let video = try #require(document.keys.first)
        #expect(video.keyID.description == "98ee5596cd3ea20d163ae382420c6eff")
        #expect(video.scheme == .cbcs)
        #expect(video.explicitIV?.hex == "3858f62230ac3c915f300c664312c63f")
        #expect(video.value?.secret.hex == "e5d1808301ae518bb8747787b4d97127")
        #expect(video.hdcp == .init(level: "TYPE-1", outputProtection: "PGEvPg=="))
        #expect(document.keys[1].value?.secret.hex == "b3fcd23531b84d1da3634e2caea4aa15")
        let system = try #require(document.systems.first)
        #expect(system.systemID == "94ce86fb-07ff-4f43-adb8-93d2fa968ca2")
        #expect(system.pssh == [0, 0, 0])
        #expect(system.contentProtection == "<a/>")
        #expect(system.mediaLines == "#EXT-X-KEY")
        #expect(system.signaling.first(where: \.isMultivariant)?.lines == "#EXT-X-SESSION-KEY")
        #expect(system.allowedCPC == "SUPER")
        #expect(
            document.periods == [.init(id: "p", index: 7, start: Self.start, end: Self.start + MediaTime(seconds: 6))]
        )
        #expect(document.usageRules.map(\.trackType) == ["UHD+HDR", "AUDIO"])
        #expect(document.usageRules[0].video.first?.minPixels == 589_825)
        #expect(document.usageRules[0].video.first?.isHDR == true)
        #expect(document.usageRules[1].audio.first?.maxChannels == 2)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let document = try CPIXDocument(parsing: Self.answer.utf8)
        #expect(try CPIXDocument(parsing: document.xml().utf8) == document)
    }

    @Test func aWholeDocumentIsWritten() throws {
        let keyID = KeyID(Bytes16(high: 1, low: 2))
        let key = CPIXDocument.Key(keyID: keyID, scheme: .aes128, value: ContentKey(Bytes16(high: 3, low: 4)))
        let rule = CPIXDocument.UsageRule(keyID: keyID, .audio, in: "now")
        let document = CPIXDocument(
            contentID: "<\"&\n>",
            keys: [key],
            periods: [.init(id: "now", index: 1, start: Self.start, end: Self.start + MediaTime(milliseconds: 1500))],
            usageRules: [rule]
        )
        #expect(
            try document.xml() == """
                <?xml version="1.0" encoding="UTF-8"?>
                <cpix:CPIX xmlns:cpix="urn:dashif:org:cpix" xmlns:pskc="urn:ietf:params:xml:ns:keyprov:pskc" \
                contentId="&lt;&quot;&amp;&#xA;>" version="2.4">
                  <cpix:ContentKeyList>
                    <cpix:ContentKey commonEncryptionScheme="AES-128" kid="00000000-0000-0001-0000-000000000002">
                      <cpix:Data>
                        <pskc:Secret>
                          <pskc:PlainValue>AAAAAAAAAAMAAAAAAAAABA==</pskc:PlainValue>
                        </pskc:Secret>
                      </cpix:Data>
                    </cpix:ContentKey>
                  </cpix:ContentKeyList>
                  <cpix:ContentKeyPeriodList>
                    <cpix:ContentKeyPeriod end="2026-01-01T00:00:01.500Z" id="now" index="1" \
                start="2026-01-01T00:00:00.000Z"></cpix:ContentKeyPeriod>
                  </cpix:ContentKeyPeriodList>
                  <cpix:ContentKeyUsageRuleList>
                    <cpix:ContentKeyUsageRule intendedTrackType="AUDIO" kid="00000000-0000-0001-0000-000000000002">
                      <cpix:KeyPeriodFilter periodId="now"></cpix:KeyPeriodFilter>
                      <cpix:AudioFilter></cpix:AudioFilter>
                    </cpix:ContentKeyUsageRule>
                  </cpix:ContentKeyUsageRuleList>
                </cpix:CPIX>

                """
        )
        #expect(try CPIXDocument(parsing: document.xml().utf8).contentID == "<\"&\n>")
    }

    /// Replacements in ``answer``, and the error that results.
    @Test(
        arguments: [
            (
                "explicitIV=\"OFj2", "explicitIV=\"OFj",
                "CPIX/ContentKeyList/ContentKey@explicitIV: it is not the base64 of 16 bytes"
            ),
            ("tNlxJw==", "tNlx", "ContentKey/Data/Secret/PlainValue: a content key has 16 bytes, and this one 15"),
            ("tNlxJw==", "?!", "ContentKey/Data/Secret/PlainValue: it is not base64"),
            ("k:PlainValue><![", "k:EncryptedValue><![", "not well-formed"),
            ("kid=\"53abdba2-", "kid=\"", "CPIX/ContentKeyList/ContentKey[2]@kid: it is not a UUID"),
            ("kid=\"98EE", "id=\"98EE", "CPIX/ContentKeyList/ContentKey: it has no @kid"),
            ("=\"cbcs\">\n      <c:H", "=\"rot13\">\n      <c:H", "@commonEncryptionScheme: there is neither"),
            ("index=\"7\"", "index=\"seven\"", "ContentKeyPeriod@index: it is not an integer"),
            ("end=\"2026-01-01T00:00:06Z\"", "end=\"2026-01-01T00:00:06\"", "@end: it is not a time with its zone"),
            ("end=\"2026-01-01T00:00:06Z\"", "end=\"2025-01-01T00:00:06Z\"", "@end: it is not after @start"),
            ("end=\"2026-01-01T00:00:06Z\"", "", "ContentKeyPeriod: it has only one of @start and @end"),
            (
                "KeyPeriodFilter periodId=\"p\"/>\n", "KeyPeriodFilter periodId=\"q\"/>\n",
                "there is no ContentKeyPeriod 'q'"
            ),
            (
                "<c:HLSSignalingData>", "<c:HLSSignalingData playlist=\"master\">",
                "there are lines for this playlist already"
            ),
            ("<c:CPIX", "<!DOCTYPE c:CPIX><c:CPIX", "a document type declaration is not allowed"),
            ("xmlns:c=\"urn:dashif:org:cpix\"", "xmlns:c=\"urn:x\"", "it is no CPIX document"),
            ("<more/>", "<x:more/>", "it is not well-formed XML"),
            ("<more/>", "<?more?>", "processing instructions are not allowed"),
            ("</c:CPIX>", "", "it is not well-formed XML"),
        ]
    )
    func whatIsWrongIsSaidWithItsPlace(old: String, new: String, message: String) throws {
        let text = Self.answer.replacing(old, with: new, maxReplacements: 1)
        try #require(text != Self.answer)
        let error = #expect(throws: CPIXError.self) { try CPIXDocument(parsing: text.utf8) }
        let description = try #require(error).description
        #expect(description.contains(message), "\(description)")
        #expect(!description.contains("5dGAgwGu"), "a key is shown")
    }

    @Test func nothingShowsAKey() throws {
        let document = try CPIXDocument(parsing: Self.answer.utf8)
        var dump = ""
        Swift.dump(document, to: &dump)
        for text in ["\(document)", dump] { #expect(!text.contains("e5d1808301ae518bb8747787b4d97127")) }
    }

    @Test func damagedDocumentsGiveErrorsButNeverTrap() {
        var random = SeededGenerator(seed: 5)
        for document in [Self.answer, CPIXSignatureTests.Form().template] {
            for _ in 0..<2000 {
                var bytes = Array(document.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[index] = UInt8.random(in: 0 ... .max, using: &random)
                    case 1: bytes.removeSubrange(index..<min(bytes.count, index + 12))
                    case 2: bytes[index] = Array("<>&;\"'=/!?[]:# \n".utf8).randomElement(using: &random) ?? 0
                    default: bytes.insert(contentsOf: bytes[index...].prefix(40), at: index)
                    }
                }
                do {
                    _ = try CPIXDocument(parsing: bytes)
                } catch {
                    #expect(error.description.contains(": "))
                }
            }
        }
    }

    @Test func aDocumentOfMoreThanTheParserTakesAtOnceIsRead() throws {
        let comments = String(repeating: "<!--\(String(repeating: "x", count: 1000))-->\n", count: 11_000)
        let text = Self.answer.replacing("<c:ContentKeyList>", with: comments + "<c:ContentKeyList>")
        #expect(try CPIXDocument(parsing: text.utf8) == CPIXDocument(parsing: Self.answer.utf8))
    }

    @Test func aDocumentOfTooMuchDepthIsRefused() {
        let text = String(repeating: "<a>", count: 100_000)
        #expect(throws: CPIXError.self) { try CPIXDocument(parsing: text.utf8) }
        #expect(throws: CPIXError.self) { try CPIXDocument(parsing: [0xFF, 0xFE, 0x3C, 0x00]) }
        #expect(throws: CPIXError.self) { try CPIXDocument(parsing: [UInt8]()) }
    }
}
