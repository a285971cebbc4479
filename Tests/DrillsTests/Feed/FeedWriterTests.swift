import Foundation
import Ingest
import TestSupport
import Testing

@Suite struct FeedWriterTests {
    @Test func writesAFile() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "written-\(UUID().uuidString).ts")
        defer { try? FileManager.default.removeItem(at: file) }
        var writer = try FeedWriter(opening: file.path, signal: StopSignal())
        try writer.write([1, 2, 3])
        try writer.write([4])
        // Nothing is kept back until it is closed.
        #expect(try Array(Data(contentsOf: file)) == [1, 2, 3, 4])
    }

    @Test func unknownProtocolIsRefused() {
        #expect(throws: FFmpegError.self) { _ = try FeedWriter(opening: "nonsense://1", signal: StopSignal()) }
    }

    @Test func raisedSignalEndsTheWaitForAConnection() {
        let signal = StopSignal()
        signal.raise()
        let url = "srt://127.0.0.1:\(Ports.free(datagram: true))?mode=caller"
        #expect(throws: FFmpegError.self) { _ = try FeedWriter(opening: url, signal: signal) }
    }

    @Test func datagramsThatNobodyListensToAreNoError() throws {
        let url = "udp://127.0.0.1:\(Ports.free(datagram: true))?pkt_size=1316&connect=1"
        var writer = try FeedWriter(opening: url, signal: StopSignal())
        for _ in 0..<20 { try writer.write([UInt8](repeating: 0x47, count: 1316)) }
    }
}
