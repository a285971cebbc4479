import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// A peer that lives in the future keeps nobody from the air.
@Suite struct FuturePeerTests {
    /// Answers every request with one file, by a clock that is so many seconds ahead, and says where it listens.
    private static let server = """
        import http.server, sys, time
        class Handler(http.server.BaseHTTPRequestHandler):
            def date_time_string(self, timestamp=None):
                return super().date_time_string(time.time() + int(sys.argv[2]))
            def do_GET(self):
                body = open(sys.argv[1], 'rb').read()
                self.send_response(200)
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *arguments):
                pass
        server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    @Test(arguments: [
        (0, "its clock agrees with this one, so its feed runs ahead of time"),
        (60, "s ahead of this one, so one of the two is wrong"),
    ])
    func itIsLeftOutAndItsClockIsTold(clock: Int, words: String) async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free(datagram: true)
        let arguments = ["--segment-duration", "1", "--window", "6", "--input", "udp://127.0.0.1:\(port)"]
        // It shows its window as a member of a pair.
        let model = try await PackagerProcess(arguments + ["--peer", "http://127.0.0.1:\(Ports.free())"])
        let body = try await HTTP.body(model.url("window.json"))
        await model.end()
        var document = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        var window = try #require(document["window"] as? [String: Any])
        let newest = Int(Date.now.timeIntervalSince1970) + 60
        (window["first"], window["last"]) = (newest, newest)
        document["window"] = window
        let file = try directory.write(JSONSerialization.data(withJSONObject: document), to: "window.json")
        let peer = try Program("python3", ["-c", Self.server, file, "\(clock)"])
        let peerPort = try await eventually(within: 20, "the peer listens") {
            peer.output.split(separator: "\n").first.flatMap { Int($0) }
        }
        let sender = try FeedSender.udp(port: port)
        let packager = try await PackagerProcess(arguments + ["--peer", "http://127.0.0.1:\(peerPort)"])
        _ = try await packager.mediaPlaylist("video-360p", "it is on air") { $0.segments.count >= 2 }
        let errors = packager.program.errors
        #expect(errors.contains("its window ends") && errors.contains(words), "\(errors)")
        #expect(errors.contains("This packager starts without it"))
        sender.program.kill()
        peer.kill()
        await packager.end()
    }
}
