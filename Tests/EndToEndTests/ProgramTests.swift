import Foundation
import Playlists
import TestSupport
import Testing

/// One transport stream with several programs, by way of UDP.
@Suite struct ProgramTests {
    /// Program 1: picture and first audio; program 2: picture and second audio; program 3: the first audio.
    static let programs = [
        "-map", "0:v", "-map", "0:a:0", "-program", "program_num=1:st=0:st=1", "-program", "program_num=2:st=3:st=2",
        "-program", "program_num=3:st=4",
    ]
    private static let quick = ["--segment-duration", "1", "--window", "10"]

    @Test func whatIsChosenIsAChannelEach() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            Self.quick + ["--program", "1", "--program", "2", "--input", "udp://127.0.0.1:\(port)"]
        )
        let sender = try WatchedSender(port: port, options: Self.programs)
        for (channel, audio) in [("live-1", "audio-en"), ("live-2", "audio-de")] {
            let base = "\(packager.origin)/\(channel)"
            for name in ["video-360p", audio] {
                let playlist = try await eventually(within: 20, "three segments of \(name) in \(channel)") {
                    let text = String(decoding: try await HTTP.body("\(base)/\(name).m3u8"), as: UTF8.self)
                    let playlist = try MediaPlaylist(parsing: text)
                    return playlist.segments.count >= 3 ? playlist : nil
                }
                sender.expectNothingMissing(
                    playlist.segments.allSatisfy { !$0.isGap && !$0.startsDiscontinuity },
                    "\(name) of \(channel): \(playlist.render())\(packager.program.errors)"
                )
            }
            let text = String(decoding: try await HTTP.body("\(base)/index.m3u8"), as: UTF8.self)
            #expect(try MultivariantPlaylist(parsing: text).renditions.map(\.uri) == ["\(audio).m3u8"])
        }
        #expect(!packager.program.errors.contains("problem"), "\(packager.program.errors)")
        sender.program.kill()
        await packager.end()
    }

    /// A socket can be opened only once, whatever each channel wants to know of what comes through it.
    @Test func channelsThatLookForDifferentThingsShareAFeed() async throws {
        let port = Ports.free(datagram: true)
        let directory = try TemporaryDirectory()
        let configuration = try directory.write(
            """
            segment-duration: 1
            window: 10
            channels:
              - { name: first, program: 1, input: "udp://127.0.0.1:\(port)", scte35-pid: [auto] }
              - { name: second, program: 2, input: "udp://127.0.0.1:\(port)", silent-after: 60 }
            """,
            to: "packager.yaml"
        )
        let packager = try await PackagerProcess(["--config", configuration])
        let sender = try FeedSender.udp(port: port, options: Self.programs)
        for channel in ["first", "second"] {
            _ = try await eventually(within: 30, "three segments in \(channel)") {
                let body = try await HTTP.body("\(packager.origin)/\(channel)/video-360p.m3u8")
                let playlist = try? MediaPlaylist(parsing: String(decoding: body, as: UTF8.self))
                return playlist.map { $0.segments.count >= 3 } == true ? true : nil
            }
        }
        sender.program.kill()
        await packager.end()
    }

    @Test(arguments: [nil, "7"]) func whatIsNotChosenOrNotThereIsSaidOnce(program: String?) async throws {
        let problem =
            program == nil ? "has more than one program (1, 2, 3): 1 is read" : "has no program 7; it has 1, 2, 3"
        let port = Ports.free(datagram: true)
        let choice = program.map { ["--program", $0] } ?? []
        let packager = try await PackagerProcess(Self.quick + choice + ["--input", "udp://127.0.0.1:\(port)"])
        let sender = try FeedSender.udp(port: port, options: Self.programs)
        _ = try await eventually(within: 20, "a warning") { packager.program.errors.contains(problem) ? true : nil }
        if program == nil {
            _ = try await packager.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        }
        #expect(packager.program.errors.ranges(of: problem).count == 1)
        sender.program.kill()
        await packager.end()
    }
}
