/// Everything that can be configured.
///
/// A key has one name everywhere: `segment-duration` in a file is `--segment-duration` as a flag and
/// `PACKAGER_SEGMENT_DURATION` in the environment.
package enum ConfigurationKey: String, CaseIterable, Hashable, Sendable {
    // Of the process.
    case listen, control
    case logLevel = "log-level"
    case connectionsPerAddress = "connections-per-address"
    case channels

    // Of a channel.
    case name, input, backup, program, audio, captions, format
    case audioTranscode = "audio-transcode"
    case segmentDuration = "segment-duration"
    case window
    case maximumMemory = "maximum-memory"
    case bandwidth
    case encryption
    case encryptInit = "encrypt-init"
    case keyRotation = "key-rotation"
    case keySecret = "key-secret"
    case clock
    case timecodeOffset = "timecode-offset"
    case failback
    case onLoss = "on-loss"
    case slate
    case frozenAfter = "frozen-after"
    case silentAfter = "silent-after"
    case staleAfter = "stale-after"
    case failOn = "fail-on"
    case loop, realtime, output, state, peer

    /// What holds where nobody says anything; nil where that is nothing.
    package var defaultValue: String? {
        switch self {
        case .listen: "127.0.0.1:8080"
        case .control: "127.0.0.1:8081"
        case .logLevel: "info"
        case .name: "live"
        case .format: "fmp4"
        case .audioTranscode: "automatic"
        case .segmentDuration: "4"
        case .window: "60"
        case .maximumMemory: "1G"
        case .encryption: "none"
        case .keyRotation: "0"
        case .clock: "arrival"
        case .failback: "30"
        case .onLoss: "gap"
        case .slate: "Samples/slate.ts"
        case .timecodeOffset, .frozenAfter, .silentAfter, .staleAfter: "0"
        case .encryptInit, .loop: "false"
        case .realtime: "true"
        case .connectionsPerAddress, .channels, .input, .backup, .program, .audio, .captions, .bandwidth, .keySecret,
            .failOn, .output, .state, .peer:
            nil
        }
    }

    /// The flag: `--` and the name, but `--no-realtime`, since a flag says what is not so already.
    package var flag: String {
        self == .realtime ? "--no-realtime" : "--\(rawValue)"
    }

    /// `PACKAGER_` and the name in capitals.
    package var environmentVariable: String {
        Self.environmentPrefix + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 })
    }

    static let environmentPrefix = "PACKAGER_"

    /// Whether it is about the process rather than about a channel.
    var isOfProcess: Bool {
        switch self {
        case .listen, .control, .logLevel, .connectionsPerAddress, .channels: true
        default: false
        }
    }

    /// Whether it has a structure that only a file can express.
    var isOfFileOnly: Bool { self == .channels || self == .audio || self == .captions }

    /// Whether it cannot mean the same for several channels.
    var isOfOneChannel: Bool { [.name, .input, .backup, .program, .audio, .captions].contains(self) }

    /// Whether it takes several values.
    var isList: Bool { [.input, .backup, .program, .bandwidth, .failOn].contains(self) }
}
