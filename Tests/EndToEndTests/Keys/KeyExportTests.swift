import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Derived keys in a CPIX document, and a channel that has its keys from there.
@Suite struct KeyExportTests {
    /// A program that finds key IDs with keys, and periods with their beginnings, by Python's own reader of XML.
    private static let reader = """
        import base64, json, sys, xml.etree.ElementTree as tree
        CPIX, PSKC = "{urn:dashif:org:cpix}", "{urn:ietf:params:xml:ns:keyprov:pskc}"
        root = tree.parse(sys.argv[1]).getroot()
        assert root.tag == CPIX + "CPIX" and root.get("version") == "2.4", root.attrib
        keys = root.findall(f"{CPIX}ContentKeyList/{CPIX}ContentKey")
        periods = root.findall(f"{CPIX}ContentKeyPeriodList/{CPIX}ContentKeyPeriod")
        rules = root.findall(f"{CPIX}ContentKeyUsageRuleList/{CPIX}ContentKeyUsageRule")
        assert {rule.get("kid") for rule in rules} == {key.get("kid") for key in keys}
        named = {rule.find(f"{CPIX}KeyPeriodFilter").get("periodId") for rule in rules}
        assert named == {period.get("id") for period in periods}
        value = lambda key: base64.b64decode(key.find(f"{CPIX}Data/{PSKC}Secret/{PSKC}PlainValue").text).hex()
        print(json.dumps({key.get("kid").replace("-", ""): value(key) for key in keys}))
        """

    @Test func whatIsExportedIsWhatProtects() async throws {
        let directory = try TemporaryDirectory()
        let secret = try directory.write(String(repeating: "5a", count: 32), to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        let protection = [
            "--segment-duration", "1", "--encryption", "sample-aes", "--key-rotation", "2", "--key-secret", secret,
        ]
        let now = MediaTime(seconds: Int64(Date.now.timeIntervalSince1970))
        let times = ["--from", (now - MediaTime(seconds: 10)).iso8601, "--to", (now + MediaTime(seconds: 120)).iso8601]
        let document = try await Program.run(Repository.packager, ["keys", "export"] + protection + times)
        let file = try directory.write(document, to: "keys.xml")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let script = try directory.write(Self.reader, to: "read.py")
        let text = try await Program.run(Repository.python, [script, file])
        let keys = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        #expect(keys.count == 2 * 66)
        // One channel derives its keys, another has them from the document.
        for source in ["derived", "cpix:\(file)"] {
            let packager = try await PackagerProcess(
                ["--input", Repository.smallFeed, "--loop", "--window", "8", "--key-source", source] + protection
            )
            let playlist = try await packager.mediaPlaylist("video-180p", "two keys") { playlist in
                Set(playlist.segments.flatMap(\.keys).map(\.uri)).count >= 2
            }
            for run in playlist.periods(base: "\(packager.origin)/live").dropLast() {
                let encrypted = try await EncryptedFile(of: run, in: directory)
                #expect(encrypted.key == keys[encrypted.keyID])
                #expect(try await !Frames.decoded(encrypted.input, "v:0").isEmpty)
            }
            await packager.end()
        }
    }

    @Test func anExportCanBeEncryptedForWhoeverReadsIt() async throws {
        let directory = try TemporaryDirectory()
        let recipient = try await Recipient(in: directory)
        let secret = try directory.write(String(repeating: "5a", count: 32), to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        let protection = ["--encryption", "sample-aes", "--key-secret", secret]
        let document = try await Program.run(
            Repository.packager,
            ["keys", "export", "--recipient", recipient.certificate] + protection
        )
        #expect(!document.contains("PlainValue") && document.contains("ValueMAC"))
        let file = try directory.write(document, to: "keys.xml")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let source = ["--key-source", "cpix:\(file)", "--key-recipient", recipient.file]
        let packager = try await PackagerProcess(["--input", Repository.feed, "--no-realtime"] + source + protection)
        let playlist = try await packager.mediaPlaylist("video-360p", "the stream ends") { $0.isEnded }
        let run = try #require(playlist.periods(base: "\(packager.origin)/live").first)
        let encrypted = try await EncryptedFile(of: run, in: directory)
        #expect(try await !Frames.decoded(encrypted.input, "v:0").isEmpty)
        await packager.end()
        // Without the recipient's key it is of no use, and nothing starts.
        let other = try Program(Repository.packager, ["--input", Repository.feed, source[0], source[1]] + protection)
        #expect(await other.exitCode() == 2)
        #expect(other.errors.contains("the content key is encrypted, and there is no key to decrypt it with"))
    }

    @Test(
        arguments: [
            (["--encryption", "sample-aes"], "there is no master secret; give --key-secret or --state"),
            ([], "nothing is encrypted"),
            (["--encryption", "sample-aes", "--key-source", "speke:http://h/"], "only derived keys can be exported"),
            (["--encryption", "rot13", "--key-source", "psychic"], "--key-source: 'psychic' is not a source of keys"),
        ]
    )
    func whatCannotBeExportedIsSaid(arguments: [String], message: String) async throws {
        let program = try Program(Repository.packager, ["keys", "export"] + arguments)
        #expect(await program.exitCode() == 2)
        let text = try await eventually(within: 5, "a message") { program.errors.isEmpty ? nil : program.errors }
        #expect(text.contains(message), "\(text)")
        #expect(program.output.isEmpty)
    }
}
