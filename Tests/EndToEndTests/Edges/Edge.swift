import Foundation
import TestSupport

/// A cache as `Config/edge` has it, in front of two packagers.
final class Edge: Sendable {
    enum Kind: String, CaseIterable {
        case varnish, trafficServer, nginx

        /// The caches that keep parts, and reloads that wait, for all players: one of them, or both where all is tested.
        static let ofLowLatency = ([.varnish, .trafficServer] as [Self]).oneIn(2)
        /// The caches that verify passes.
        static let ofPasses: [Self] = [.varnish, .nginx]
    }

    /// A request to a packager that is answered.
    struct Fetch: Hashable, Sendable {
        var status: Int
        /// The path with its query.
        var target: Substring
    }

    /// Without a slash at its end.
    let origin: String
    private let directory: TemporaryDirectory
    private let program: Program
    /// Prints a line for each fetch: the cache itself, or a program that reads its log.
    private let log: Program

    /// Starts it and waits until it answers.
    ///
    /// - Parameters:
    ///   - kind: The program.
    ///   - a: The origin of the first packager.
    ///   - b: The origin of the other; nil if there is none, as if it were dead.
    ///   - tokens: The secret of passes, and a token, where the packagers ask for them.
    /// - Throws: If it is not installed or does not start.
    init(
        _ kind: Kind,
        of a: String,
        _ b: String? = nil,
        tokens: (secret: String, token: String)? = nil
    ) async throws {
        directory = try TemporaryDirectory()
        let address = "127.0.0.1:\(Ports.free())"
        let scheme = "http://"
        origin = scheme + address
        let members = [a, b ?? "\(scheme)127.0.0.1:\(Ports.free())"].map { member in
            member.dropFirst(scheme.count).split(separator: ":")
        }
        program =
            switch kind {
            case .varnish: try Self.varnish(at: address, members, tokens?.secret, in: directory)
            case .trafficServer: try Self.trafficServer(at: address, members, in: directory)
            case .nginx: try Self.nginx(at: address, members, tokens?.secret, in: directory)
            }
        let query = tokens.map { "?token=\($0.token)" } ?? ""
        let (page, started) = (origin + "/live/index.m3u8" + query, program)
        _ = try await eventually(within: 60, "\(kind) answers") {
            if !started.isRunning { throw Program.Failure(description: started.errors) }
            return try await HTTP.get(page).status == 200 ? true : nil
        }
        log =
            switch kind {
            case .varnish:
                try Program("varnishncsa", ["-b", "-n", directory.file("varnish"), "-F", "%s %U%q"])
            case .trafficServer: try Program("tail", ["-n", "+1", "-F", directory.file("log/fetches.log")])
            case .nginx: program
            }
        // From now on each fetch is in the log.
        let (none, reader) = (origin + "/none", log)
        _ = try await eventually(within: 20, "the log is read") {
            if !reader.isRunning { throw Program.Failure(description: reader.errors) }
            _ = try await HTTP.get(none)
            return reader.output.isEmpty ? nil : true
        }
    }

    deinit {
        log.kill()
        program.kill()
    }

    /// The requests to packagers so far, in the order in which they were answered.
    ///
    /// One that nginx or Traffic Server has sent to both has the status of the second. nginx may write a hyphen for a query that
    /// is not there, and Traffic Server writes the status 000 for what it had.
    var fetches: [Fetch] {
        log.output.split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: #/(?:\d+, )*([1-5]\d{2}) (?:http://packagers)?(\S+?)-?/#),
                let status = Int(match.1)
            else {
                return nil
            }
            return Fetch(status: status, target: match.2)
        }
    }

    /// Ends it at once, with all requests that wait in it.
    func kill() {
        program.kill()
        log.kill()
    }

    func end() async {
        for program in [log, program] {
            program.terminate()
            _ = await program.exitCode()
        }
    }

    /// The text of a file in `Config/edge`.
    static func configuration(_ name: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: "Config/edge/\(name)"), encoding: .utf8)
    }

    private static func varnish(
        at address: String,
        _ members: [[Substring]],
        _ secret: String?,
        in directory: TemporaryDirectory
    ) throws -> Program {
        var text = try configuration("varnish.vcl")
        for (index, member) in members.enumerated() {
            text = text.replacing(
                ".host = \"10.0.0.\(index + 1)\";\n    .port = \"8080\"",
                with: ".host = \"\(member[0])\";\n    .port = \"\(member[1])\""
            )
        }
        var file = try directory.write(text, to: "varnish.vcl")
        if let secret {
            let tokens = try configuration("varnish-tokens.vcl").replacing("/etc/varnish/", with: "\(directory.path)/")
            // With the line break that an editor leaves.
            _ = try directory.write(secret + "\n", to: "pass-secret")
            file = try directory.write(tokens, to: "varnish-tokens.vcl")
        }
        // It closes all files that it inherits, which Foundation takes for its end, and waits for that with all other
        // programs: so another one stays before it, and takes it along.
        return try Program(
            "timeout",
            [
                "--foreground", "900", "setpriv", "--pdeathsig", "KILL",
                "/usr/sbin/varnishd", "-F", "-j", "none", "-n", directory.file("varnish"), "-a", address, "-s",
                "malloc,256m",
                "-f", file, "-p", "timeout_idle=65",
            ]
        )
    }

    private static func nginx(
        at address: String,
        _ members: [[Substring]],
        _ secret: String?,
        in directory: TemporaryDirectory
    ) throws -> Program {
        var text = try configuration("nginx.conf")
            .replacing("/var/lib/nginx/", with: "\(directory.path)/")
            .replacing("listen 80;", with: "listen \(address);")
        for (index, member) in members.enumerated() {
            text = text.replacing("10.0.0.\(index + 1):8080", with: member.joined(separator: ":"))
        }
        if let secret {
            let tokens = try configuration("nginx-tokens.conf").replacing("SECRET", with: secret)
                .replacing("/etc/nginx/", with: "\(directory.path)/")
            _ = try directory.write(tokens, to: "packager-tokens.conf")
            _ = try directory.write(configuration("packager-pass.js"), to: "packager-pass.js")
            text = text.replacing("# include /etc/nginx/", with: "include \(directory.path)/")
        }
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory.file($0));" }
        // The rest of a configuration, as Debian has it, and a line for each request that a packager has answered.
        let whole = try directory.write(
            """
            \(secret == nil ? "" : "load_module modules/ngx_http_js_module.so;")
            user root;
            daemon off;
            pid \(directory.file("pid"));
            error_log stderr;
            events { worker_connections 4096; }
            http {
                \(temporary.joined(separator: "\n    "))
                log_format fetches "$upstream_status $uri$is_args$args";
                access_log /dev/stdout fetches if=$upstream_status;
                include \(try directory.write(text, to: "packager.conf"));
            }
            """,
            to: "nginx.conf"
        )
        return try Program("/usr/sbin/nginx", ["-e", "stderr", "-c", whole])
    }
}
