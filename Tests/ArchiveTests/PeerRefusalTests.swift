import Archive
import Testing

@Suite struct PeerRefusalTests {
    @Test(arguments: [
        ("aes-128", "encryption is aes-128 here and sample-aes there"),
        ("none", "encryption is none here and sample-aes there"),
        ("sample-aes", "key-secret differs here and there"),
    ])
    func itTellsWhatDiffers(own: String, text: String) throws {
        let refusal = try PeerRefusal(json: PeerRefusal(encryption: "sample-aes").json())
        #expect(refusal.difference(from: ["encryption": own, "key-secret": "one that gives key 1"]) == text)
    }
}
