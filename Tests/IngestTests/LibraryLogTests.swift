import MediaCore
import Synchronization
import Testing

@testable import Ingest

@Suite struct LibraryLogTests {
    @Test(arguments: [
        (": connection rejected", "newConnection", "newConnection: connection rejected"),
        (": interpretSrtHandshake: KMREQ result", "interpretSrtHandshake", "interpretSrtHandshake: KMREQ result"),
        ("closed: peer\nis gone\n", "", "closed: peer is gone"),
        ("@7:newConnection: rejected", "newConnection", "newConnection: @7:newConnection: rejected"),
    ])
    func linesOfLibsrtSayWhereOnce(message: String, area: String, text: String) {
        #expect(LibraryLog.text(message, of: area) == text)
    }

    private final class Lines: InputConsumer {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }

        func take(_ line: LibraryLine) { lines.withLock { $0.append(line.text) } }

        func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {}
        func inputReceived(_ packet: PacketInfo, payload: RawSpan) {}
        func inputLost(reason: String) {}
        func inputEnded() {}
        func inputNoticed(_ notice: InputNotice) { if case .library(let line) = notice { take(line) } }
    }

    /// A feed that is opened beside its reader belongs to no reader's thread.
    @Test func aFeedThatIsOpenedBesideItsReaderKeepsItsSecrets() throws {
        let lines = Lines()
        LibraryLog.listen { lines.take($0) }
        let port = Transport.udp.freePort()
        let url = "srt://127.0.0.1:\(port)?connect_timeout=200&passphrase=SuperSecret123"
        #expect(throws: FFmpegError.self) { try OpenFeed(opening: url) }
        let own = lines.all.filter { $0.contains("127.0.0.1:\(port)") }
        #expect(own.contains { $0.contains("passphrase=***") }, "\(lines.all)")
        #expect(!lines.all.contains { $0.contains("SuperSecret") })
    }

    /// A line is cut where it is too long, in the middle of a secret perhaps.
    @Test func aLineThatIsCutKeepsItsSecrets() throws {
        let lines = Lines()
        let secret = String(repeating: "Secret", count: 80)
        let url = "srt://127.0.0.1:\(Transport.udp.freePort())?connect_timeout=200&streamid=\(secret)"
        LibraryLog.takeAll()
        LibraryLog.forwarding(lines, of: FeedLocation(url)) {
            #expect(throws: FFmpegError.self) { try OpenFeed(opening: url) }
        }
        #expect(lines.all.contains { $0.contains("streamid=***") }, "\(lines.all)")
        #expect(!lines.all.contains { $0.contains("Secret") })
    }
}
