import CPIX
import ContentProtection
import Foundation
import MediaCore
import Synchronization
import Testing

@testable import KeySources

/// Keys that somebody has written down.
@Suite struct DocumentKeySourceTests {
    private let periods = CryptoPeriods(slotsPerPeriod: 2)
    private static func hex(_ digit: Character) -> String { String(repeating: digit, count: 32) }

    private static let lines = """
        {"period": 7, "class": "video", "keyID": "\(hex("1"))", "key": "\(hex("a"))", "iv": "\(hex("c"))"}

        {"period": 7, "class": "audio", "keyID": "\(hex("2"))", "key": "\(hex("b"))"}
        {"class": "audio", "keyID": "\(hex("3"))", "key": "\(hex("d"))"}
        """

    /// Returns all keys of a source, or its error once it has no more.
    private func answer(
        of source: DocumentKeySource,
        _ period: Int64,
        _ classes: [KeyClass] = KeyClasses().all
    ) async -> Result<[PeriodKey], any Error> {
        await withCheckedContinuation { continuation in
            let arrived = Mutex<[PeriodKey]>([])
            source.requestKeys(of: CryptoPeriod(period), classes) { answer in
                switch answer {
                case .success(let keys):
                    let all = arrived.withLock { arrived in
                        arrived += keys
                        return arrived
                    }
                    if all.count == classes.count { continuation.resume(returning: .success(all)) }
                case .failure: continuation.resume(returning: answer)
                }
            }
        }
    }

    private func write(_ text: String, mode: Int = 0o600) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    /// Its last line would be half a line, and be called wrong.
    @Test func aFileThatIsTooLongIsSaidToBe() throws {
        let path = try write(String(repeating: "\n", count: 1001))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = #expect(throws: KeySourceError.self) { try KeyFile(path: path, atMost: 1000) }
        #expect(error.map { "\($0)".contains("it is longer than 1000 bytes") } == true)
    }

    @Test func linesOfAFileAreKeys() throws {
        let file = try KeyFile(path: "keys", Array(Self.lines.utf8))
        let keys = try file.keys(of: CryptoPeriod(7), KeyClasses().all)
        #expect(keys.map(\.keyID.description) == [Self.hex("1"), Self.hex("2")])
        #expect(keys.map(\.contentKey.secret.hex) == [Self.hex("a"), Self.hex("b")])
        #expect(keys.map(\.constantIV.hex) == [Self.hex("c"), Self.hex("2")])
        let later = try file.keys(of: CryptoPeriod(8), [.audio])
        #expect(later.map(\.keyID.description) == [Self.hex("3")])
        #expect(later.map(\.period.index) == [8])
        #expect(throws: KeySourceError("keys: it has no key for video in crypto period 8")) {
            try file.keys(of: CryptoPeriod(8), [.video])
        }
    }

    @Test(
        arguments: [
            ("\"class\": \"video\"", "\"class\": \"text\"", "keys:1: class is none of video, audio, sd, hd, uhd, hdr"),
            (
                "\"period\": 7, \"class\": \"video\"", "\"period\": \"\(hex("a"))\", \"class\": \"video\"",
                "keys:1: it is not an object"
            ),
            (hex("a"), hex("a").dropLast() + "g", "keys:1: key is not 32 hexadecimal digits"),
            (hex("c"), "", "keys:1: iv is not 32 hexadecimal digits"),
            (hex("2"), hex("1"), "keys:3: another line has this keyID"),
            (
                "\"audio\", \"keyID\": \"\(hex("2"))", "\"video\", \"keyID\": \"\(hex("2"))",
                "keys:3: another line is for this class"
            ),
        ]
    )
    func whatIsWrongIsSaidWithItsLine(old: String, new: String, message: String) throws {
        let text = Self.lines.replacing(old, with: new)
        let error = #expect(throws: KeySourceError.self) { try KeyFile(path: "keys", Array(text.utf8)) }
        let description = try #require(error).description
        #expect(description.hasPrefix(message), "\(description)")
        #expect(!description.contains("aaaa"), "a key is shown")
    }

    @Test func aDocumentIsReadAgainWhenItLacksAPeriod() async throws {
        let path = try write(Self.lines)
        let reads = Mutex(0)
        let source = DocumentKeySource(periods: periods) {
            reads.withLock { $0 += 1 }
            return try KeyFile(path: path)
        }
        for _ in 0..<3 { #expect(try await answer(of: source, 7).get().count == 2) }
        #expect(reads.withLock { $0 } == 1)
        await #expect(throws: KeySourceError.self) { try await answer(of: source, 8).get() }
        let more =
            "\n{\"period\": 8, \"class\": \"video\", \"keyID\": \"\(Self.hex("4"))\", \"key\": \"\(Self.hex("e"))\"}"
        try (Self.lines + more).write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try await answer(of: source, 8).get().map(\.keyID.description) == [Self.hex("4"), Self.hex("3")])
        #expect(reads.withLock { $0 } == 3)
    }

    @Test func aClassThatItLacksKeepsNoOtherFromItsKey() async throws {
        let path = try write(Self.lines)
        let source = DocumentKeySource(periods: periods) { try KeyFile(path: path) }
        let (answers, answered) = AsyncStream<[KeyClass]?>.makeStream()
        source.requestKeys(of: CryptoPeriod(7), [.video, .audio, .uhd]) { answer in
            answered.yield((try? answer.get())?.map(\.keyClass))
            if case .failure = answer { answered.finish() }
        }
        #expect(await answers.reduce(into: []) { $0.append($1) } == [[.video, .audio], nil])
    }

    @Test func whoAsksWhileItIsReadWaitsForThat() async throws {
        let (gate, isOpen) = AsyncStream<Void>.makeStream()
        let reads = Mutex(0)
        let source = DocumentKeySource(periods: periods) {
            reads.withLock { $0 += 1 }
            for await _ in gate {}
            return try KeyFile(path: "keys", Array(Self.lines.utf8))
        }
        let (answers, answered) = AsyncStream<Int>.makeStream()
        for _ in 0..<3 {
            source.requestKeys(of: CryptoPeriod(7), KeyClasses().all) { answer in
                answered.yield((try? answer.get().count) ?? 0)
            }
        }
        isOpen.finish()
        var iterator = answers.makeAsyncIterator()
        for _ in 0..<3 { #expect(await iterator.next() == 2) }
        #expect(reads.withLock { $0 } == 1)
    }

    @Test func aFileThatOthersCanReadIsRefused() throws {
        let path = try write(Self.lines, mode: 0o644)
        #expect(throws: MasterSecretFileError.self) { try KeyFile(path: path) }
        #expect(throws: MasterSecretFileError.self) {
            try CPIXKeys(path: path, periods: periods, slotDuration: MediaTime(seconds: 4), trust: DocumentTrust())
        }
        #expect(throws: MasterSecretFileError.self) {
            try KeyServer(url: "http://127.0.0.1/", credentialsFile: path)
        }
    }

    @Test func credentialsAreFields() throws {
        let path = try write("Authorization: Bearer a:b\nX-Key:c\n\n")
        let server = try KeyServer(url: "https://h:1/a/b?token=x#y", credentialsFile: path)
        #expect(server.credentials.map { "\($0.name)=\($0.value)" } == ["Authorization=Bearer a:b", "X-Key=c"])
        #expect(server.name == "https://h:1/a/b")
        for text in ["secret", "a b: c", "a: b\u{1}c"] {
            let path = try write(text)
            let error = #expect(throws: KeySourceError.self) { try KeyServer(url: "http://h/", credentialsFile: path) }
            #expect(try #require(error).description == "\(path):1: it is not a header field, 'Name: value'")
        }
    }

    @Test func aCPIXFileIsAKeyDocument() throws {
        let secret = try #require(MasterSecret(Array(1...32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 2)
        let document = try CPIXDocument(
            contentID: "live",
            schedule,
            periods: [CryptoPeriod(7)],
            slotDuration: MediaTime(seconds: 4),
            scheme: .cbcs
        )
        let path = try write(document.xml())
        let keys = try CPIXKeys(
            path: path,
            periods: periods,
            slotDuration: MediaTime(seconds: 4),
            trust: DocumentTrust()
        )
        #expect(try keys.keys(of: CryptoPeriod(7), [.video]) == [schedule.keys(for: CryptoPeriod(7), .video)])
        let error = #expect(throws: KeySourceError.self) { try keys.keys(of: CryptoPeriod(8), [.video]) }
        #expect(try #require(error).description.contains("no key for video in crypto period 8, which begins at"))
    }
}
