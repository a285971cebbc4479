import Archive
import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import Testing

@Suite struct PeerAnswerTests {
    @Test func itIsWrittenOnceForEveryChange() throws {
        var feed = Feed(nil)
        let answer = PeerAnswer(
            revision: { [presentation = feed.presentation] in .init(window: presentation.revision, isJoining: false) }
        ) { [presentation = feed.presentation] in
            PeerDocument(configuration: ["format": "fmp4"], window: presentation.saved)
        }
        var answers: [ByteBuffer] = []
        for _ in 0..<3 {
            let json = try answer.json()
            let document = try PeerDocument(json: Array(json.readableBytesView))
            #expect(document.window == feed.presentation.saved)
            #expect(document.configuration == ["format": "fmp4"])
            #expect(try Self.address(of: answer.json()) == Self.address(of: json))
            answers.append(json)
            try feed.publish()
        }
        #expect(Set(answers).count == 3)
    }

    /// All that a peer continues from is told again once it changes.
    @Test func whatASavedWindowSaysHasARevision() throws {
        var feed = Feed(nil)
        let presentation = feed.presentation
        var revisions: [Int] = []
        func change(_ body: () throws -> Void) rethrows {
            let before = (presentation.saved, presentation.revision)
            try body()
            #expect((presentation.saved == before.0) == (presentation.revision == before.1))
            revisions.append(presentation.revision)
        }
        try change { try feed.publish(gaps: []) }
        try change { try feed.publish(gaps: [Feed.video]) }
        change { presentation.setSessionKeys([EncryptionKey(method: .sampleAES, uri: "keys/1")]) }
        change { presentation.setSessionKeys([EncryptionKey(method: .sampleAES, uri: "keys/1")]) }
        change { presentation.tick(now: feed.now) }
        try change { _ = try presentation.bridge(to: MediaSequenceNumber(feed.number + 100), now: feed.now) }
        #expect(revisions == revisions.sorted())
    }

    private static func address(of buffer: ByteBuffer) -> UnsafeRawPointer? {
        buffer.withUnsafeReadableBytes { $0.baseAddress }
    }
}
