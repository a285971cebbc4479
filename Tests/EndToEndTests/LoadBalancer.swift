import Foundation
import TestSupport

/// HAProxy as `Config/haproxy.cfg` has it, in front of two packagers.
final class LoadBalancer: Sendable {
    /// One of the packagers, by its name in the configuration.
    enum Member: String, CaseIterable {
        case a, b
    }

    /// An answer, as its line of the log has it.
    struct Answer: Sendable {
        var member: Member
        var status: Int
        /// Further attempts that it took.
        var retries: Int
        var path: Substring
    }

    /// Without a slash at its end.
    let origin: String
    private let program: Program

    /// Starts it and waits until it answers.
    ///
    /// - Throws: If it is not installed or does not start.
    init(_ a: PackagerProcess, _ b: PackagerProcess) async throws {
        let address = "127.0.0.1:\(Ports.free())"
        let scheme = "http://"
        origin = scheme + address
        program = try Program(
            "/usr/sbin/haproxy",
            ["-f", Repository.root.appending(path: "Config/haproxy.cfg").path],
            environment: [
                "LISTEN": address,
                "PACKAGER_A": String(a.origin.dropFirst(scheme.count)),
                "PACKAGER_B": String(b.origin.dropFirst(scheme.count)),
            ]
        )
        let page = origin + "/live/"
        _ = try await eventually(within: 60, "HAProxy answers") { try await HTTP.get(page).status == 200 ? true : nil }
    }

    deinit {
        program.kill()
    }

    /// The answers so far, in the order in which they ended.
    var answers: [Answer] {
        // Times, the status, and behind the flags of the session five counts of connections, the last of which are retries.
        let line = #/(?:packagers|parked)/([ab]) \S+ (\d+) .* (?:\d+/){4}\+?(\d+) .*"[A-Z]+ (\S+) HTTP/1.1"/#
        return program.output.matches(of: line).compactMap { match in
            guard let member = Member(rawValue: String(match.1)), let status = Int(match.2), let retries = Int(match.3)
            else { return nil }
            return Answer(member: member, status: status, retries: retries, path: match.4)
        }
    }

    /// The number of segments of the picture that a member has given.
    func segments(of member: Member) -> Int {
        answers.count { $0.member == member && $0.status == 200 && $0.path.hasPrefix("/live/video-360p/") }
    }

    /// Returns true if a member was taken out.
    func hasLost(_ member: Member) -> Bool {
        program.output.contains("Server packagers/\(member) is DOWN")
    }

    /// Returns true if a member was found to do badly.
    func hasDisfavoured(_ member: Member) -> Bool {
        program.output.contains("Server health/\(member) is DOWN")
    }

    func end() async {
        program.terminate()
        _ = await program.exitCode()
    }
}
