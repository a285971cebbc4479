import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Keys of a key server that speaks SPEKE, from there to players.
@Suite struct KeyServerTests {
    private static func packager(_ server: KeyServerProcess, _ arguments: String...) async throws -> PackagerProcess {
        try await PackagerProcess(
            [
                "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--window", "12",
                "--encryption", "sample-aes", "--key-rotation", "2",
            ] + server.arguments + arguments
        )
    }

    /// The events about keys that an operator is told.
    private static func notes(_ packager: PackagerProcess) async throws -> String {
        try await HTTP.get("\(packager.control)/events").text
    }

    /// Returns true if nothing that has media is without a key.
    private static func isProtected(_ playlist: MediaPlaylist) -> Bool {
        playlist.segments.allSatisfy { $0.isGap || !$0.keys.isEmpty }
    }

    @Test(arguments: ["2.1,2.0", "2.0"])
    func periodsOfAKeyServerPlay(versions: String) async throws {
        let server = try await KeyServerProcess(versions: versions)
        let packager = try await Self.packager(server, "--content-id", "news & more")
        let playlist = try await packager.mediaPlaylist("video-180p", "four keys") { playlist in
            Set(playlist.segments.flatMap(\.keys).map(\.uri)).count >= 4
        }
        #expect(playlist.segments.allSatisfy { !$0.isGap && !$0.keys.isEmpty })
        let requests = try await server.requests()
        let answered = requests.filter { versions.contains($0.version) }
        let keys = answered.reduce(into: [:]) { $0.merge($1.keys) { first, _ in first } }
        let directory = try TemporaryDirectory()
        for run in playlist.periods(base: "\(packager.origin)/live").dropLast() {
            let file = try await EncryptedFile(of: run, in: directory)
            #expect(file.key == keys[file.keyID])
            #expect(try await !Frames.decoded(file.input, "v:0").isEmpty)
        }
        let (version, cpix) = versions == "2.0" ? ("2.0", "2.3") : ("2.1", "2.4")
        #expect(answered.allSatisfy { $0.version == version && $0.cpix == cpix && $0.type == "application/xml" })
        #expect(answered.allSatisfy { $0.content == "news & more" && $0.tracks == ["VIDEO", "AUDIO"] })
        #expect(answered.allSatisfy { $0.schemes == ["cbcs", "cbcs"] })
        let period = try #require(answered.first?.periods.first)
        let index = try #require(period["index"].flatMap { Int64($0) })
        #expect(
            period["start"].flatMap { MediaTime(iso8601: $0) } == (cpix == "2.3" ? nil : MediaTime(seconds: index * 2))
        )
        let schedule = try await packager.text("keys.json")
        #expect(keys.keys.contains { schedule.contains($0) })
        await packager.end()
        let log = packager.program.errors
        #expect(!keys.values.contains { log.contains($0) } && !log.contains("5e5a3e"), "\(log)")
    }

    /// A licence server knows its own names for a key better than we do.
    @Test func playersAreToldWhatTheServerSaysOfItsKeys() async throws {
        let server = try await KeyServerProcess()
        let packager = try await Self.packager(server, "--drm", "fairplay,widevine,clearkey", "--key-classes", "sd")
        let playlist = try await packager.mediaPlaylist("video-180p", "media") { $0.segments.count >= 3 }
        let segment = try #require(playlist.segments.last)
        let asked = try await server.requests()
        #expect(asked.allSatisfy { $0.tracks == ["VIDEO", "AUDIO", "SD"] })
        #expect(segment.keys.count == 3)
        let uri = try #require(segment.keys.first?.uri)
        #expect(uri.hasPrefix("skd://server/"))
        #expect(segment.keys.prefix(2).allSatisfy { $0.uri == uri })
        let map = try #require(segment.map)
        let section = try await HTTP.body(packager.url(map.uri))
        #expect(section.range(of: Data(uri.utf8)) != nil)
        let text = try await packager.text("index.m3u8")
        #expect(text.contains("URI=\"\(uri)\""))
        let allowed = "com.apple.streamingkeydelivery:Main,urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed:Main"
        #expect(text.contains("HDCP-LEVEL=TYPE-1,ALLOWED-CPC=\"\(allowed)\""), "\(text)")
        await packager.end()
    }

    /// The next process asks the key server again, also for keys that no segment of the window needs any more.
    @Test func aFinishedRecordingKeepsItsKeysAfterARestart() async throws {
        let server = try await KeyServerProcess()
        let directory = try TemporaryDirectory()
        let arguments = [
            "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--window", "6", "--encryption",
            "sample-aes", "--key-rotation", "2", "--record", directory.file("recording"),
        ]
        let first = try await PackagerProcess(arguments + server.arguments)
        let media = try await first.mediaPlaylist("video-180p", "five segments") { $0.segments.count >= 5 }.segments
        let output = try await Program.run(
            Repository.packager,
            [
                "record", "live", "--from", media[1].programDateTime.iso8601, "--to", media[4].programDateTime.iso8601,
                "--control", first.control,
            ]
        )
        let path = output.trimmingCharacters(in: .whitespacesAndNewlines).replacing("/index.m3u8", with: "")
        let playlist = try MediaPlaylist(parsing: await HTTP.get("\(first.origin)\(path)/video-180p.m3u8").text)
        let names = Set(playlist.segments.flatMap(\.keys).map { $0.uri.replacing("../../", with: "") })
        #expect(names.count >= 2)
        var keys: [String: Data] = [:]
        for name in names { keys[name] = try await HTTP.body(first.url(name)) }
        await first.end()

        let second = try await PackagerProcess(arguments + server.arguments)
        _ = try await second.mediaPlaylist("video-180p", "a window without their keys") { live in
            live.segments.count >= 6 && names.isDisjoint(with: live.segments.flatMap(\.keys).map(\.uri))
        }
        for (name, key) in keys {
            // 503 with Retry-After until the key server has answered.
            let found = try await eventually(within: 10, name) {
                let answer = try await HTTP.get(second.url(name))
                #expect([200, 503].contains(answer.status))
                return answer.status == 200 ? try await HTTP.body(second.url(name)) : nil
            }
            #expect(found == key)
        }
        await second.end()
    }

    /// It refuses the first document, understands the second, and is asked like that from then on.
    @Test func aServerThatGoesByTheSchemaGivesKeys() async throws {
        let server = try await KeyServerProcess("schema", versions: "2.1")
        let packager = try await Self.packager(server)
        _ = try await packager.mediaPlaylist("video-180p", "three keys") { playlist in
            Set(playlist.segments.flatMap(\.keys).map(\.uri)).count >= 3
        }
        let requests = try await server.requests().map(\.playlists)
        #expect(requests.first == ["master", "media"])
        #expect(requests.last == ["media", "multiVariant"])
        await packager.end()
    }

    @Test func keysAreEncryptedForTheirRecipient() async throws {
        let server = try await KeyServerProcess()
        let directory = try TemporaryDirectory()
        let recipient = try await Recipient(in: directory)
        let packager = try await Self.packager(server, "--key-recipient", recipient.file)
        let playlist = try await packager.mediaPlaylist("video-180p", "two keys") { playlist in
            Set(playlist.segments.flatMap(\.keys).map(\.uri)).count >= 2
        }
        let requests = try await server.requests()
        #expect(requests.allSatisfy { $0.recipients == 1 })
        let keys = requests.reduce(into: [:]) { $0.merge($1.keys) { first, _ in first } }
        let run = try #require(playlist.periods(base: "\(packager.origin)/live").first)
        let file = try await EncryptedFile(of: run, in: directory)
        #expect(file.key == keys[file.keyID])
        await packager.end()
    }

    @Test(arguments: ["hold", "gap", "reuse", "fail"].oneIn(2))
    func aServerThatComesLateCostsNoProtection(policy: String) async throws {
        let server = try await KeyServerProcess()
        let packager = try await Self.packager(server, "--late-key", policy)
        _ = try await packager.mediaPlaylist("video-180p", "media") { $0.segments.count >= 3 }
        let before = try await packager.mediaPlaylist("video-180p")
        #expect(Self.isProtected(before))
        try server.become("slow")
        let note = policy == "reuse" ? "previous key stays in use" : "its segments are gaps"
        _ = try await eventually(within: 40, "the operator is told") {
            try await Self.notes(packager).contains(note) ? true : nil
        }
        switch policy {
        case "fail":
            _ = try await eventually(within: 20, "playlists are refused") {
                try await HTTP.get(packager.url("video-180p.m3u8")).status == 503 ? true : nil
            }
        case "reuse":
            let after = try await packager.mediaPlaylist("video-180p", "a window of one key") { playlist in
                playlist.mediaSequence.value > before.mediaSequence.value + 3
            }
            #expect(after.segments.allSatisfy { !$0.isGap } && Self.isProtected(after))
            let uri = try #require(after.segments.last?.keys.first?.uri)
            #expect(try await HTTP.body(packager.url(uri)).count == 16)
        default:
            let after = try await packager.mediaPlaylist("video-180p", "gaps") { $0.segments.contains(where: \.isGap) }
            #expect(Self.isProtected(after))
        }
        await packager.end()
    }

    @Test(
        arguments: [
            ("short", "a content key has 16 bytes, and this one 15"), ("silent", "it has no X-Speke-Version"),
            ("other", "which was asked for"),
            ("refuse Missing CPIX@contentId", "it answered 422: Missing CPIX@contentId"),
            ("broken", "it answered 500: out of order"),
        ].oneIn(2)
    )
    func whatIsWrongWithAnAnswerIsSaid(mode: String, message: String) async throws {
        let server = try await KeyServerProcess(mode)
        let packager = try await Self.packager(server, "--late-key", "gap")
        _ = try await eventually(within: 30, "the operator is told") {
            try await Self.notes(packager).contains(message) ? true : nil
        }
        if let text = try? await packager.text("video-180p.m3u8") {
            #expect(try MediaPlaylist(parsing: text).segments.allSatisfy(\.isGap))
        }
        await packager.end()
        #expect(packager.program.errors.contains(message), "\(packager.program.errors)")
    }

    /// A server whose certificate somebody else has signed, or which is of another host, gets nothing to see.
    @Test(arguments: ["another", "elsewhere"])
    func keysComeFromWhoeverTheAuthorityKnows(wrong: String) async throws {
        let directory = try TemporaryDirectory()
        let (authority, other) = (
            try await CertificateAuthority("authority", in: directory),
            try await CertificateAuthority("other", in: directory)
        )
        let good = try await authority.certificate(of: "IP:127.0.0.1")
        let bad =
            wrong == "another"
            ? try await other.certificate(of: "IP:127.0.0.1")
            : try await authority.certificate(of: "DNS:keys.example.com")
        let server = try await KeyServerProcess(certificate: bad)
        let packager = try await Self.packager(server, "--late-key", "gap", "--key-authority", authority.certificate)
        let complaint = wrong == "another" ? "is signed by none" : "is of another host"
        _ = try await eventually(within: 20, "the operator is told") {
            try await Self.notes(packager).contains(complaint) ? true : nil
        }
        try server.present(certificate: good)
        let playlist = try await packager.mediaPlaylist("video-180p", "media") { playlist in
            playlist.segments.last?.isGap == false
        }
        #expect(Self.isProtected(playlist))
        await packager.end()
        #expect(!packager.program.errors.contains("5e5a3e"), "\(packager.program.errors)")
    }

    @Test func keysOfWhatWasPublishedBeforeAreAskedForAgain() async throws {
        let server = try await KeyServerProcess()
        let state = try TemporaryDirectory()
        let options = ["--state", state.path, "--clock", "arrival"]
        let first = try await Self.packager(server, options[0], options[1])
        let before = try await first.mediaPlaylist("video-180p", "three keys") { playlist in
            Set(playlist.segments.flatMap(\.keys).map(\.uri)).count >= 3
        }
        first.program.kill()
        _ = await first.program.exitCode()
        let second = try await Self.packager(server, options[0], options[1])
        for uri in Set(before.segments.suffix(4).flatMap(\.keys).map(\.uri)) {
            let key = try await eventually(within: 10, "the key of an earlier run") {
                try await HTTP.body(second.url(uri))
            }
            #expect(key.count == 16)
        }
        await second.end()
    }
}
