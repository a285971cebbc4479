import ContentProtection
import Foundation
import MediaCore
import Testing

@testable import CPIX

/// Signatures that xmlsec1 makes.
@Suite struct CPIXSignatureTests {
    /// The form of a signature: what is signed and how.
    struct Form: Sendable, CustomTestStringConvertible {
        var canonicalization = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
        var method = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"
        var digest = "http://www.w3.org/2001/04/xmlenc#sha512"
        var uri = ""
        var transforms = ["http://www.w3.org/2000/09/xmldsig#enveloped-signature"]

        var testDescription: String { "\(canonicalization) \(method) \(uri)" }

        /// A document with namespaces and white space of all kinds, and a signature to be filled in.
        var template: String {
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- before -->
            <CPIX xmlns="urn:dashif:org:cpix" xmlns:unused="urn:unused" contentId="a &amp; &lt;b&gt; &quot;c&quot; &#10;é"
              xmlns:p="urn:ietf:params:xml:ns:keyprov:pskc" version='2.4'>
              <ContentKeyList id="keys" xmlns:p="urn:ietf:params:xml:ns:keyprov:pskc"
                 xmlns:q="urn:q" q:z="2" q:a="1" >
                <ContentKey kid="98ee5596-cd3e-a20d-163a-e382420c6eff" xml:lang="en" commonEncryptionScheme="cbcs">
                  <!-- within --><Data><p:Secret><p:PlainValue>5dGAgwGuUYu4dHeHtNlxJw==</p:PlainValue></p:Secret></Data>
                  <more xmlns="">x &gt; y<![CDATA[ & <z>]]></more><p:empty/>
                </ContentKey>
              </ContentKeyList>
              <s:Signature xmlns:s="http://www.w3.org/2000/09/xmldsig#">
                <s:SignedInfo>
                  <s:CanonicalizationMethod Algorithm="\(canonicalization)"/>
                  <s:SignatureMethod Algorithm="\(method)"/>
                  <s:Reference URI="\(uri)">
                    <s:Transforms>\(transforms.map { "<s:Transform Algorithm=\"\($0)\"/>" }.joined())</s:Transforms>
                    <s:DigestMethod Algorithm="\(digest)"/>
                    <s:DigestValue/>
                  </s:Reference>
                </s:SignedInfo>
                <s:SignatureValue/>
                <s:KeyInfo><s:X509Data/></s:KeyInfo>
              </s:Signature>
            </CPIX>
            """
        }
    }

    private static let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
    private static let enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"

    private static let forms = [
        Form(),
        Form(canonicalization: exclusive, transforms: [enveloped, exclusive]),
        Form(
            canonicalization: exclusive,
            method: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
            digest: "http://www.w3.org/2001/04/xmlenc#sha256"
        ),
        Form(uri: "#keys", transforms: []),
        Form(uri: "#keys", transforms: [exclusive]),
    ]

    @Test(arguments: forms)
    func whatIsSignedIsReadAndWhatIsChangedIsNot(form: Form) async throws {
        let judge = try await Judge()
        let text = try await judge.sign(form.template)
        let document = try CPIXDocument(parsing: text.utf8)
        #expect(document.contentID == "a & <b> \"c\" \né")
        // Only a signature of all is one that can be asked for.
        if form.uri.isEmpty {
            _ = try CPIXDocument(parsing: text.utf8, signedBy: judge.certificate)
        } else {
            #expect(throws: CPIXError.self) { try CPIXDocument(parsing: text.utf8, signedBy: judge.certificate) }
        }
        // Comments are not signed.
        _ = try CPIXDocument(parsing: text.replacing("within", with: "without").utf8)
        for (old, new) in [("x &gt; y", "x &gt; z"), ("5dGA", "6dGA"), ("q:z=\"2\"", "q:z=\"3\"")] {
            let changed = text.replacing(old, with: new)
            try #require(changed != text)
            let error = #expect(throws: CPIXError.self) { try CPIXDocument(parsing: changed.utf8) }
            #expect(try #require(error).message == "what was signed has been changed since")
        }
        let method = text.replacing("s:Reference URI=", with: "s:Reference  Type=\"urn:x\" URI=")
        let error = #expect(throws: CPIXError.self) { try CPIXDocument(parsing: method.utf8) }
        #expect(try #require(error).message.hasPrefix("the signature is not that of its certificate"))
    }

    @Test func anotherSignerIsNotEnough() async throws {
        let (judge, other) = (try await Judge(), try await Judge())
        let text = try await judge.sign(Form().template)
        #expect(throws: CPIXError.self) { try CPIXDocument(parsing: text.utf8, signedBy: other.certificate) }
        let unsigned = text.replacing(/<s:Signature .*<\/s:Signature>/.dotMatchesNewlines(), with: "")
        _ = try CPIXDocument(parsing: unsigned.utf8)
        let error = #expect(throws: CPIXError.self) {
            try CPIXDocument(parsing: unsigned.utf8, signedBy: judge.certificate)
        }
        #expect(try #require(error).message.contains("is not signed with the certificate"))
    }

    /// A second transformation finds the signature gone already.
    @Test func twoEnvelopedTransformationsAreOne() async throws {
        let judge = try await Judge()
        let form = Form(transforms: [Self.enveloped, Self.enveloped])
        let template = form.template.replacing(/<\/s:Signature>\s+<\/CPIX>/, with: "</s:Signature></CPIX>")
        let text = try await judge.sign(template)
        #expect(text.contains("</s:Signature></CPIX>"))
        _ = try CPIXDocument(parsing: text.utf8, signedBy: judge.certificate)
    }
}
