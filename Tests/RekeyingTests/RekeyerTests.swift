import ContentProtection
import Foundation
import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Rekeying

@Suite struct RekeyerTests {
    /// A recording of eight slots in two crypto periods, with a gap, a discontinuity and a date range.
    private struct Fixture {
        static let first: Int64 = 448_815_600
        let directory: URL
        let cipher: SegmentCipher
        let old: KeySchedule
        let new: KeySchedule

        init(_ cipher: SegmentCipher, in directory: URL) throws {
            self.directory = directory
            self.cipher = cipher
            let secret = try #require(MasterSecret(Array(1...32)))
            let size: KeySize = cipher == .aes128 ? .bits128 : .bits256
            old = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 4, keySize: size)
            new = KeySchedule(secret: secret, channel: "film", slotsPerPeriod: nil, keySize: size)
            var segments: [MediaPlaylist.Segment] = []
            for index in Int64(0)..<8 {
                let number = MediaSequenceNumber(Self.first + index)
                let key = try old.keys(for: old.periods.period(of: number), .video)
                let listed = listedKey(key, iv: nil)
                segments.append(
                    MediaPlaylist.Segment(
                        uri: "video-180p/\(number).m4s",
                        duration: SegmentDuration(value: 4, timescale: 1),
                        programDateTime: MediaTime(seconds: number.value * 4),
                        isGap: index == 3,
                        startsDiscontinuity: index == 5,
                        keys: [listed],
                        map: MediaInitialization(
                            uri: "video-180p/init-\(key.period.index).mp4",
                            keys: [listedKey(key, iv: key.constantIV)]
                        )
                    )
                )
                try write(sealed("init", key, iv: key.constantIV), "video-180p/init-\(key.period.index).mp4")
                let vector = number.initializationVector
                if index != 3 { try write(sealed(clear(number), key, iv: vector), "video-180p/\(number).m4s") }
            }
            let playlist = MediaPlaylist(
                targetDuration: 6,
                mediaSequence: MediaSequenceNumber(Self.first),
                discontinuitySequence: 2,
                segments: segments
            )
            let range = "#EXT-X-DATERANGE:ID=\"1\",START-DATE=\"2026-11-22T20:00:00Z\"\n"
            let last = "#EXT-X-PROGRAM-DATE-TIME:\(segments[6].programDateTime.iso8601)"
            let text = playlist.render().replacing(last, with: range + last)
            try write(ByteBuffer(string: text), "video-180p.m3u8")
            var multivariant = MultivariantPlaylist(
                variants: [MultivariantPlaylist.Variant(uri: "video-180p.m3u8", bandwidth: 1, codecs: ["avc1.64001e"])]
            )
            multivariant.sessionKeys = segments.last?.keys ?? []
            var names = SessionDatum()
            (names.id, names.uri) = (SessionDatum.localizedNamesID, SessionDatum.localizedNamesFile)
            (multivariant.sessionData, multivariant.start) = ([names], .init(offset: MediaTime(seconds: -18)))
            try write(ByteBuffer(string: multivariant.render()), "index.m3u8")
            try write(ByteBuffer(string: multivariant.render()), "index-imsc1.m3u8")
            try write(ByteBuffer(string: "{}"), "names.json")
        }

        func clear(_ number: MediaSequenceNumber) -> String { "segment \(number), in the clear" }

        private func listedKey(_ key: PeriodKey, iv: Bytes16?) -> EncryptionKey {
            switch cipher {
            case .aes128: EncryptionKey(method: .aes128, uri: "keys/\(key.keyID)?a=b", initializationVector: iv)
            case .aes256GCM: EncryptionKey(method: .aes256GCM, uri: "keys/\(key.keyID)?a=b")
            }
        }

        private func sealed(_ text: String, _ key: PeriodKey, iv: Bytes16) throws -> ByteBuffer {
            var bytes = ByteBuffer(string: text)
            var encryptor = try SegmentEncryptor(key: key.contentKey, cipher: cipher)
            try encryptor.encrypt(&bytes, iv: iv)
            return bytes
        }

        func write(_ bytes: ByteBuffer, _ path: String) throws {
            let file = directory.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(bytes.readableBytesView).write(to: file)
        }

        func known() throws -> [KeyID: PeriodKey] {
            try old.keys(availableFor: PublishedDirectory(directory: directory.path).slots)
        }

        func replacements() throws -> [KeyClass: PeriodKey] {
            [.video: try new.keys(for: CryptoPeriod(0), .video), .audio: try new.keys(for: CryptoPeriod(0), .audio)]
        }

        func copy(to destination: URL, known: [KeyID: PeriodKey]? = nil) throws -> Rekeyer.Summary {
            try Rekeyer(
                PublishedDirectory(directory: directory.path),
                known: known ?? self.known(),
                replacements: replacements()
            ).copy(to: destination.path)
        }
    }

    private static func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

    /// The bytes of all files below a directory.
    private static func byteCount(_ directory: URL) throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).reduce(0) { sum, path in
            // A directory has no contents.
            sum + (FileManager.default.contents(atPath: directory.appending(path: path).path)?.count ?? 0)
        }
    }

    @Test(arguments: [SegmentCipher.aes128, .aes256GCM]) func aCopyIsTheSameUnderOneKey(cipher: SegmentCipher) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        let fixture = try Fixture(cipher, in: root.appending(path: "live"))
        let copy = root.appending(path: "film")
        let summary = try fixture.copy(to: copy)
        var expected = Rekeyer.Summary(playlists: 3, segments: 7, gaps: 1, initializationSections: 1, mergedSections: 1)
        expected.byteCount = try Self.byteCount(copy)
        #expect(summary == expected)
        let text = try Self.text(copy.appending(path: "video-180p.m3u8"))
        let playlist = try MediaPlaylist(parsing: text)
        let before = try MediaPlaylist(parsing: Self.text(fixture.directory.appending(path: "video-180p.m3u8")))
        let key = try fixture.new.keys(for: CryptoPeriod(0), .video)
        // A map that is encrypted by AES-128 has a line of its own, for its vector.
        #expect(text.matches(of: /#EXT-X-KEY/).count == (cipher == .aes128 ? 2 : 1), "\(text)")
        #expect(text.matches(of: /#EXT-X-MAP/).count == 1 && text.contains("#EXT-X-PLAYLIST-TYPE:VOD\n"))
        #expect(text.matches(of: /#EXT-X-DATERANGE/).count == 1 && text.hasSuffix("#EXT-X-ENDLIST\n"))
        #expect(
            text.contains("20:00:00Z\"\n#EXT-X-PROGRAM-DATE-TIME:\(before.segments[6].programDateTime.iso8601)"),
            "\(text)"
        )
        #expect(playlist.isEnded && playlist.mediaSequence == before.mediaSequence)
        #expect(playlist.discontinuitySequence == 2)
        var decryptor = try SegmentDecryptor(key: key.contentKey, cipher: cipher)
        for (index, segment) in playlist.segments.enumerated() {
            var other = before.segments[index]
            #expect(segment.keys.map(\.uri) == ["keys/\(key.keyID)?a=b"])
            (other.keys, other.map) = (segment.keys, segment.map)
            #expect(segment == other)
            guard !segment.isGap else { continue }
            let number = MediaSequenceNumber(Fixture.first + Int64(index))
            let bytes = ByteBuffer(bytes: try Data(contentsOf: copy.appending(path: segment.uri)))
            let clear = try decryptor.decrypted(bytes, iv: number.initializationVector)
            #expect(String(buffer: clear) == fixture.clear(number))
        }
        let map = try #require(playlist.segments.first?.map)
        let section = ByteBuffer(bytes: try Data(contentsOf: copy.appending(path: map.uri)))
        #expect(String(buffer: try decryptor.decrypted(section, iv: key.constantIV)) == "init")
        let multivariant = try MultivariantPlaylist(parsing: Self.text(copy.appending(path: "index.m3u8")))
        #expect(try Self.text(copy.appending(path: "index-imsc1.m3u8")) == multivariant.render())
        #expect(multivariant.sessionKeys == playlist.segments[0].keys)
        #expect(multivariant.sessionData.map(\.uri) == ["names.json"] && multivariant.start == nil)
        #expect(try Self.text(copy.appending(path: "names.json")) == "{}")
        // The same again: nothing of it is left to chance.
        _ = try fixture.copy(to: root.appending(path: "again"))
        for path in ["video-180p.m3u8", map.uri, playlist.segments[7].uri] {
            let files = try [copy, root.appending(path: "again")].map { try Data(contentsOf: $0.appending(path: path)) }
            #expect(files[0] == files[1])
        }
    }

    enum Fault: String, CaseIterable {
        case wrongKey, unknownKey, longKey, missingFile, existingCopy, sampleAES, elsewhere, twoNumbers, lastNumber
        case noIndex

        var words: String {
            switch self {
            case .wrongKey: "its key does not decrypt it"
            case .unknownKey: "the keys that were given have none of URI keys/"
            case .longKey: "METHOD=SAMPLE-AES wants keys of 16 bytes"
            case .missingFile: "448815602.m4s: there is no such file"
            case .existingCopy: "it is there already"
            case .sampleAES: "it is neither a transport stream nor packed audio"
            case .elsewhere: "it is not a file below the playlists"
            case .twoNumbers: "it is listed with two keys, or under two numbers"
            case .lastNumber: "EXT-X-MEDIA-SEQUENCE is too large to count on from"
            case .noIndex: "index.m3u8: there is no such file"
            }
        }
    }

    @Test(arguments: Fault.allCases) func whatCannotBeCopiedLeavesNothing(fault: Fault) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        let fixture = try Fixture(.aes128, in: root.appending(path: "live"))
        let copy = root.appending(path: "film")
        let playlist = fixture.directory.appending(path: "video-180p.m3u8")
        var known = try fixture.known()
        func edit(_ replace: (String) -> String) throws {
            try fixture.write(ByteBuffer(string: replace(Self.text(playlist))), "video-180p.m3u8")
        }
        switch fault {
        case .wrongKey: for id in known.keys { known[id]?.contentKey = ContentKey(Bytes16(high: 1, low: 2)) }
        case .unknownKey: known = [:]
        case .longKey:
            let long = try #require(ContentKey(bytes: Array(0..<32)))
            for id in known.keys { known[id]?.contentKey = long }
            try edit { text in
                text.replacing("METHOD=AES-128", with: "METHOD=SAMPLE-AES").replacing(/#EXT-X-MAP.*\n/, with: "")
            }
        case .missingFile:
            try FileManager.default.removeItem(at: fixture.directory.appending(path: "video-180p/448815602.m4s"))
        case .existingCopy: try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
        case .sampleAES:
            try edit { text in
                text.replacing("METHOD=AES-128", with: "METHOD=SAMPLE-AES").replacing(/#EXT-X-MAP.*\n/, with: "")
            }
        case .elsewhere: try edit { $0.replacing("video-180p/448815604.m4s", with: "../live/448815604.m4s") }
        case .twoNumbers: try edit { $0.replacing("448815604.m4s", with: "448815602.m4s") }
        case .lastNumber:
            try edit { text in
                text.replacing("#EXT-X-MEDIA-SEQUENCE:\(Fixture.first)", with: "#EXT-X-MEDIA-SEQUENCE:\(Int64.max)")
            }
        case .noIndex: try FileManager.default.removeItem(at: fixture.directory.appending(path: "index.m3u8"))
        }
        let error = #expect(throws: RekeyingError.self) { try fixture.copy(to: copy, known: known) }
        #expect(error?.description.contains(fault.words) == true, "\(error?.description ?? "")")
        let left = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
        #expect(left == (fault == .existingCopy ? ["film", "live"] : ["live"]))
    }

    /// A channel that is still on air writes playlists anew, and those that are copied later would end later.
    @Test func aPlaylistThatChangesMeanwhileIsNotCopied() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        let fixture = try Fixture(.aes128, in: root.appending(path: "live"))
        let (known, replacements) = (try fixture.known(), try fixture.replacements())
        let recording = try PublishedDirectory(directory: fixture.directory.path)
        let text = try Self.text(fixture.directory.appending(path: "video-180p.m3u8"))
        try fixture.write(ByteBuffer(string: text + "#EXT-X-ENDLIST\n"), "video-180p.m3u8")
        let copy = root.appending(path: "film")
        let error = #expect(throws: RekeyingError.self) {
            try Rekeyer(recording, known: known, replacements: replacements).copy(to: copy.path)
        }
        #expect(error?.description.hasPrefix("video-180p.m3u8: it has changed meanwhile") == true)
        #expect(!FileManager.default.fileExists(atPath: copy.path))
    }
}
