import Archive
import Foundation
import NIOCore
import Presentation
import Testing

@Suite struct PeerAnswerTests {
    @Test func itIsWrittenOnceForEveryChange() throws {
        var feed = Feed(nil)
        let answer = PeerAnswer { [presentation = feed.presentation] in
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

    private static func address(of buffer: ByteBuffer) -> UnsafeRawPointer? {
        buffer.withUnsafeReadableBytes { $0.baseAddress }
    }
}
