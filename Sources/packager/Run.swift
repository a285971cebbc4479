import ArgumentParser
import Foundation
import Logging
import Operations
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
              packager --input udp://0.0.0.0:5000 --backup udp://0.0.0.0:5001 --clock pts --state /var/lib/packager
              packager --config Config/packager.yaml

            The player page is at / and the stream at /NAME/index.m3u8. The operator face tells how inputs are and what \
            happened, and switches them. Flags win over the environment (PACKAGER_SEGMENT_DURATION and so on), which wins over the file. Exit codes: \
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

    @Option(
        help: ArgumentHelp(
            "A feed that stands by for an input: the first for the first, and so on. It is read all the time, and fills "
                + "what the input has no whole segment for.",
            valueName: "feed"
        )
    )
    var backup: [String] = []

    @Option(help: "Channel name, the first path component of its URLs. (default: live)")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Where the origin listens; port 0 takes a free one. (default: 127.0.0.1:8080)",
            valueName: "host:port"
        )
    )
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Where the operator face listens: state, events, switching. (default: 127.0.0.1:8081)",
            valueName: "host:port"
        )
    )
    var control: String?

    @Option(
        help: ArgumentHelp(
            "Connections to the origin from one address; a proxy in front is one. (default: half of all there may be)",
            valueName: "number"
        )
    )
    var connectionsPerAddress: String?

    @Option(
        help: ArgumentHelp(
            "The program to read where feeds have several. More than one makes a channel of each, NAME-PROGRAM.",
            valueName: "number"
        )
    )
    var program: [String] = []

    @Option(
        help:
            "Make AAC of other audio: none, automatic (of MP2, and of AC-3 without a sibling) or all. (default: automatic)"
    )
    var audioTranscode: String?

    @Option(help: "Segment format: fmp4, or ts with packed audio beside it. (default: fmp4)")
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

    @Option(
        help: ArgumentHelp(
            "What the multivariant playlist says of a rendition instead of what is measured, such as "
                + "video-1080p=6.5M/5M: peak and average with audio, in bits a second.",
            valueName: "rendition=peak/average"
        )
    )
    var bandwidth: [String] = []

    @Option(
        help:
            "none, aes-128 (whole segments), sample-aes (cbcs in fmp4) or sample-aes-ctr (cenc in fmp4). (default: none)"
    )
    var encryption: String?

    @Flag(
        name: .customLong("encrypt-init"),
        help: "With aes-128 in fmp4, encrypt initialization sections too, which VLC does not read. (default: clear)"
    )
    var encryptsInitialization = false

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
        help: ArgumentHelp(
            "Where UTC comes from: arrival; pts when presentation timestamps are UTC; timecode when the video carries "
                + "SMPTE timecode. (default: arrival)"
        )
    )
    var clock: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What timecode is ahead of UTC, as +HH:MM or -HH:MM or in seconds, where encoders label local time. "
                + "(default: 0)",
            valueName: "offset"
        )
    )
    var timecodeOffset: String?

    @Option(
        help: ArgumentHelp(
            "How long an input must have been whole to take back from its backup. (default: 30)",
            valueName: "seconds"
        )
    )
    var failback: String?

    @Option(help: "What fills a segment that no input has media for: gap, slate or hold. (default: gap)")
    var onLoss: String?

    @Option(help: ArgumentHelp("The prepared file for --on-loss slate. (default: Samples/slate.ts)", valueName: "file"))
    var slate: String?

    @Option(
        help: ArgumentHelp("Take an input for faulty whose picture stays the same for this long.", valueName: "seconds")
    )
    var frozenAfter: String?

    @Option(help: ArgumentHelp("Take an input for faulty that is silent for this long.", valueName: "seconds"))
    var silentAfter: String?

    @Option(
        help: ArgumentHelp(
            "From which age of the newest segment on the stream is stale, for --fail-on.",
            valueName: "seconds"
        )
    )
    var staleAfter: String?

    @Option(
        help: ArgumentHelp(
            "Answer 503 instead of a playlist on any of these: stale, incomplete, slate, no-key.",
            valueName: "conditions"
        )
    )
    var failOn: String?

    @Option(
        help: ArgumentHelp(
            "Origin of this packager's twin, which is fed the same: the live window is taken from there at start.",
            valueName: "url"
        )
    )
    var peer: String?

    @Flag(help: "Start a file over at its end, for ever.")
    var loop = false

    @Flag(name: .customLong("no-realtime"), help: "Read files as fast as possible instead of as fast as they play.")
    var noRealtime = false

    @Option(
        help: ArgumentHelp("Also write playlists and segments as files; expired ones are removed.", valueName: "dir")
    )
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Keep secrets and the live window here, for the next start; without it nothing is kept.",
            valueName: "dir"
        )
    )
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
        var logger = Logger(label: "packager") { LineLogHandler(label: $0) }
        logger.logLevel = configuration.logLevel
        do {
            try await Assembly(configuration, logger: logger).run()
        } catch let error as SetupError {
            Self.complain("\(error)")
            throw ExitCode(2)
        } catch let error as FeedError {
            Self.complain("\(error)")
            throw ExitCode(1)
        }
    }

    /// The flags that were given, by name.
    private var flags: [String: [String]] {
        let options: [(String, String?)] = [
            ("name", name), ("listen", listen), ("control", control),
            ("connections-per-address", connectionsPerAddress), ("format", format),
            ("audio-transcode", audioTranscode),
            ("segment-duration", segmentDuration), ("failback", failback), ("on-loss", onLoss), ("slate", slate),
            ("frozen-after", frozenAfter), ("silent-after", silentAfter), ("stale-after", staleAfter),
            ("fail-on", failOn), ("peer", peer),
            ("window", window), ("maximum-memory", maximumMemory), ("encryption", encryption),
            ("key-rotation", keyRotation), ("key-secret", keySecret), ("clock", clock),
            ("timecode-offset", timecodeOffset), ("output", output), ("state", state), ("log-level", logLevel),
        ]
        var flags = options.reduce(into: [String: [String]]()) { flags, option in
            if let value = option.1 { flags[option.0] = [value] }
        }
        if !input.isEmpty { flags["input"] = input }
        if !backup.isEmpty { flags["backup"] = backup }
        if !program.isEmpty { flags["program"] = program }
        if !bandwidth.isEmpty { flags["bandwidth"] = bandwidth }
        if loop { flags["loop"] = [] }
        if encryptsInitialization { flags["encrypt-init"] = [] }
        if noRealtime { flags["no-realtime"] = [] }
        return flags
    }

    private static func complain(_ message: String) {
        LineWriter.standardError.write("packager: \(message)")
    }
}
