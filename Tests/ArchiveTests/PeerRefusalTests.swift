import Archive
import Testing

@Suite struct PeerRefusalTests {
    @Test(arguments: [
        ("aes-128", "encryption is aes-128 on this packager, and sample-aes on the peer"),
        ("none", "encryption is none on this packager, and sample-aes on the peer"),
        ("sample-aes", "the two packagers have different values of key-secret"),
    ])
    func itTellsWhatDiffers(own: String, text: String) throws {
        let refusal = try PeerRefusal(json: PeerRefusal(encryption: "sample-aes").json())
        #expect(refusal.difference(from: ["encryption": own, "key-secret": "one that gives key 1"]) == text)
    }
}
