import Foundation
import MediaCore
import TestSupport

/// The addresses in commands of the guide, and the ports of this machine that stand for them.
struct GuideAddresses {
    /// By machine and port, such as `here:8080`.
    private var ports: [String: Int] = [:]
    /// The packager that stands for whatever the guide asks over HTTP: the URLs of its origin and control API.
    private let origin: String?

    /// Any address gets a free port of its own.
    init() {
        origin = nil
    }

    /// Ports for viewers and operators are those of a packager that runs.
    ///
    /// - Throws: Where it does not say them.
    init(of packager: PackagerProcess) throws {
        origin = packager.origin
        for machine in ["here", "10.0.0.1", "10.0.0.2"] { ports["\(machine):8080"] = Self.port(of: packager.origin) }
        ports["here:8081"] = try Self.port(of: packager.control)
    }

    /// Puts addresses of this machine in place of a command's, a moment to come in place of a time, and short durations.
    mutating func localized(_ command: String) -> String {
        let address = #/([a-z]+://)?(HOST|\d+\.\d+\.\d+\.\d+):(\d+)/#
        let soon = MediaTime(seconds: Int64(Date.now.timeIntervalSince1970) + 60).iso8601
        var text = command.replacing(address) { match in
            let scheme = match.output.1.map(String.init) ?? ""
            return "\(scheme)127.0.0.1:\(port(scheme, String(match.output.2), String(match.output.3)))"
        }
        text = text.replacing("10.0.0.0/8", with: "127.0.0.0/8")
        if let origin { text = text.replacing("https://cdn.example.com", with: origin) }
        text = text.replacing(#/"20\d\d-\d\d-\d\dT[0-9:.]+Z"/#, with: "\"\(soon)\"")
        return text.replacing(#/--(duration|seconds) \d+/#) { "--\($0.output.1) 6" }
    }

    private mutating func port(_ scheme: String, _ machine: String, _ port: String) -> Int {
        let isHere = ["HOST", "0.0.0.0", "127.0.0.1"].contains(machine)
        let name = "\(isHere ? "here" : machine):\(port)"
        if let known = ports[name] { return known }
        let free = Ports.free(datagram: ["udp://", "rtp://", "srt://"].contains(scheme))
        ports[name] = free
        return free
    }

    private static func port(of url: String) -> Int? { url.split(separator: ":").last.flatMap { Int($0) } }
}
