import MediaCore

/// The command line that starts a packager, and what stands between it and its disk.
struct PackagerLaunch: Hashable, Sendable {
    /// Path of the program.
    var program: String
    /// Path of its configuration file.
    var configuration: String
    /// Folder of its state; nil: it has none.
    var state: String?
    /// Subtitles beside its feeds, as `--subtitles` says it; nil if there are none.
    var subtitles: String?
    var disk: Scenario.Disk?
    /// The command that runs another one on the packager's machine; empty on this one.
    var machine: [String] = []

    /// The addresses of its origin and of its control API.
    struct Addresses: Hashable, Sendable {
        var listen: String
        var control: String

        /// The addresses of any free ports.
        static let free = Addresses(listen: "127.0.0.1:0", control: "127.0.0.1:0")
    }

    /// Returns the command to run.
    ///
    /// - Parameters:
    ///   - addresses: Those of an earlier life, since viewers keep their URLs.
    ///   - peer: URL of the other member of a pair.
    /// - Returns: The executable and its arguments.
    func command(_ addresses: Addresses, peer: String? = nil) -> [String] {
        machine + commandThere(addresses, peer: peer)
    }

    private func commandThere(_ addresses: Addresses, peer: String?) -> [String] {
        let packager =
            [
                program, "--config", configuration, "--listen", addresses.listen, "--control", addresses.control,
            ] + (peer.map { ["--peer", $0] } ?? []) + (subtitles.map { ["--subtitles", $0] } ?? [])
        switch (disk, state) {
        case (.limited(let size), let state?):
            // A file system of its own, which goes away with the process; the shell hands its place to the packager.
            let script = #"mount -t tmpfs -o size="$0",mode=0700 tmpfs "$1" && shift && exec "$@""#
            return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "\(size)", state] + packager
        case (.slow(let delay), _):
            let calls = "fsync,fdatasync,rename,renameat,renameat2"
            let microseconds = delay.milliseconds * 1000
            // -D keeps the packager this process's own child, so that its identifier is the one to signal.
            return [
                "strace", "-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
                "inject=\(calls):delay_enter=\(microseconds)",
            ] + packager
        default: return packager
        }
    }

    /// Returns a command that succeeds if this machine can make such a disk; nil if nothing is needed.
    static func probe(of disk: Scenario.Disk?) -> [String]? {
        switch disk {
        case .limited: ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/tmp"]
        case .slow:
            [
                "strace", "-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e",
                "inject=fsync:delay_enter=1", "true",
            ]
        case nil: nil
        }
    }

    /// A command as one would type it.
    static func line(_ command: [String]) -> String {
        command.map { word in
            let isPlain =
                !word.isEmpty
                && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,@%+".contains($0)) }
            return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
        }.joined(separator: " ")
    }
}
