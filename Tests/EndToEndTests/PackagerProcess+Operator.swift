import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

extension PackagerProcess {
    /// Tells its channel something by the control API, in JSON, which has to be taken.
    ///
    /// - Parameters:
    ///   - body: In JSON.
    ///   - path: Below the channel's.
    ///   - method: Of the request.
    /// - Returns: The answer's body.
    /// - Throws: If there is no answer.
    @discardableResult
    func tell(_ body: String, to path: String, _ method: String = "POST") async throws -> Data {
        let answer = try await HTTP.get(
            "\(control)/channels/live/\(path)",
            method: method,
            fields: ["Content-Type": "application/json"],
            sending: body
        )
        #expect(answer.status == 200, "\(answer.text)")
        return answer.body
    }

    /// Posts a cue, in JSON.
    ///
    /// - Returns: The slot in which it will be.
    /// - Throws: If it is not taken.
    func show(_ cue: String) async throws -> Int64 {
        struct Answer: Decodable {
            struct Cue: Decodable {
                var slot: Int64?
            }

            var cues: [Cue]
        }
        let answer = try JSONDecoder().decode(Answer.self, from: try await tell(cue, to: "cues"))
        return try #require(answer.cues.first?.slot)
    }

    /// The text of a slot, once it is listed.
    ///
    /// - Throws: If it is not.
    func text(of slot: Int64, in rendition: String) async throws -> String {
        let playlist = try await mediaPlaylist(rendition, "slot \(slot)") { $0.end.value > slot }
        let segment = try #require(playlist.segments.first { $0.uri.hasSuffix("/\(slot).vtt") }, "slot \(slot)")
        return try await text(segment.uri)
    }

    /// `packager check` finds nothing wrong with its channel, watched for so many seconds.
    ///
    /// - Throws: If it cannot be run.
    func expectConformance(seconds: Int) async throws {
        let check = try Program(Repository.packager, ["check", url("index.m3u8"), "--duration", "\(seconds)"])
        #expect(await check.exitCode() == 0, "\(check.output)\(program.errors)")
    }
}
