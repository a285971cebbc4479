import ArgumentParser
import Foundation
import Logging
import PackagerConfig

/// `packager [run]`: packages and serves until told to stop.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Packages a live feed as HLS and serves it (the default command).",
        discussion: """
            An encoder's feed comes in, players pull an encrypted, rolling HLS stream out of the built-in origin. The \
            stream outlives the encoder: what is lost is marked as a gap, and media goes on at its true time.

              packager --input udp://0.0.0.0:5000
              packager --input 'srt://0.0.0.0:9000?mode=listener' --encryption sample-aes
              packager --input Samples/feed.ts --loop
              packager --config Config/packager.yaml

            The player page is at / and the stream at /NAME/index.m3u8. Flags win over the environment (PACKAGER_SEGMENT_DURATION and so on), which wins over the file. Exit codes: \
            0 ended as asked, 1 internal failure, 2 bad usage or configuration.
            """
    )

    @Option(help: "Read the configuration from a YAML file.")
    var config: String?

    @Option(
        help: ArgumentHelp(
            "A feed: what libavformat opens (udp, srt, rtmp, rtp, http), a file, or - for standard input. "
                + "Several add their tracks to one channel.",
            valueName: "feed"
        )
    )
    var input: [String] = []

    @Option(help: "Channel name, the first path component of its URLs. (default: live)")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Where the origin listens; port 0 takes a free one. (default: 127.0.0.1:8080)",
            valueName: "host:port"
        )
    )
    var listen: String?

    @Option(help: "Segment format: fmp4. (default: fmp4)")
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Length of a slot of the segment grid. Encoders should send a key frame at least every half of it. (default: 4)",
            valueName: "seconds"
        )
    )
    var segmentDuration: String?

    @Option(help: ArgumentHelp("Length of the live playlist. (default: 60)", valueName: "seconds"))
    var window: String?

    @Option(help: ArgumentHelp("Memory for published media, such as 512M. (default: 1G)", valueName: "bytes"))
    var maximumMemory: String?

    @Option(help: "none, aes-128 (whole segments) or sample-aes (cbcs). (default: none)")
    var encryption: String?

    @Option(
        help: ArgumentHelp(
            "Change the keys this often, rounded to whole slots; 0 never does. (default: 0)",
            valueName: "seconds"
        )
    )
    var keyRotation: String?

    @Option(
        help: ArgumentHelp(
            "File with the master secret that keys derive from; only its owner may read it. (default: made in --state)",
            valueName: "file"
        )
    )
    var keySecret: String?

    @Option(
        help: "Where UTC comes from: arrival, or pts when presentation timestamps are UTC. (default: arrival)"
    )
    var clock: String?

    @Flag(help: "Start a file over at its end, for ever.")
    var loop = false

    @Flag(name: .customLong("no-realtime"), help: "Read files as fast as possible instead of as fast as they play.")
    var noRealtime = false

    @Option(
        help: ArgumentHelp("Also write playlists and segments as files; expired ones are removed.", valueName: "dir")
    )
    var output: String?

    @Option(help: ArgumentHelp("Keep secrets here; without it nothing is kept.", valueName: "dir"))
    var state: String?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical. (default: info)",
            valueName: "level"
        )
    )
    var logLevel: String?

    func run() async throws {
        ProcessTuning.apply()
        let configuration: Configuration
        do {
            let file = try config.map { path in
                ConfigurationFile(name: path, text: try String(contentsOfFile: path, encoding: .utf8))
            }
            configuration = try Configuration.load(
                flags: flags,
                environment: ProcessInfo.processInfo.environment,
                file: file
            )
        } catch {
            Self.complain("\(error)")
            throw ExitCode(2)
        }
        let level = Logger.Level(rawValue: configuration.logLevel.rawValue) ?? .info
        var logger = Logger(label: "packager") { LineLogHandler(label: $0) }
        logger.logLevel = level
        do {
            try await Assembly(configuration, logger: logger).run()
        } catch let error as SetupError {
            Self.complain("\(error)")
            throw ExitCode(2)
        }
    }

    /// The flags that were given, by name.
    private var flags: [String: [String]] {
        let options: [(String, String?)] = [
            ("name", name), ("listen", listen), ("format", format), ("segment-duration", segmentDuration),
            ("window", window), ("maximum-memory", maximumMemory), ("encryption", encryption),
            ("key-rotation", keyRotation), ("key-secret", keySecret), ("clock", clock), ("output", output),
            ("state", state), ("log-level", logLevel),
        ]
        var flags = options.reduce(into: [String: [String]]()) { flags, option in
            if let value = option.1 { flags[option.0] = [value] }
        }
        if !input.isEmpty { flags["input"] = input }
        if loop { flags["loop"] = [] }
        if noRealtime { flags["no-realtime"] = [] }
        return flags
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("packager: \(message)\n".utf8))
    }
}
