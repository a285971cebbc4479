import MediaCore

/// A fault that is done to one part at one time.
struct ScriptedFault: Hashable, Sendable {
    var target: Scenario.Target
    var action: Action
    var start: MediaTime
    /// The duration; nil if the fault never ends or is instantaneous.
    var duration: MediaTime?

    enum Action: Hashable, Sendable {
        /// Done to the packets between encoder and packager.
        case feed(Fault)
        /// SIGKILL; with a duration, it is started again after it.
        case packagerKilled
        /// The file system of the state is filled to the last byte.
        case diskFull
        /// The file of subtitles is gone; with a duration, it comes back after it.
        case subtitlesLost
        /// SIGUSR2: another process of the same program takes its place.
        case packagerUpgraded
        /// The cache is gone with all that it has; with a duration, another takes its place after it.
        case cacheKilled
        /// The packagers of a machine are killed, and its cable is dead; with a duration, all starts again after it.
        case machineKilled

        static let packagerKilledName = "packager-killed"
        static let diskFullName = "disk-full"
        static let subtitlesLostName = "subtitles-lost"
        static let packagerUpgradedName = "packager-upgraded"
        static let cacheKilledName = "cache-killed"
        static let machineKilledName = "machine-killed"

        /// The name in scenario files.
        var name: String {
            switch self {
            case .feed(let fault): fault.name
            case .packagerKilled: Self.packagerKilledName
            case .diskFull: Self.diskFullName
            case .subtitlesLost: Self.subtitlesLostName
            case .packagerUpgraded: Self.packagerUpgradedName
            case .cacheKilled: Self.cacheKilledName
            case .machineKilled: Self.machineKilledName
            }
        }

        /// The name for people.
        var title: String {
            switch self {
            case .feed(let fault): "\(fault)"
            case .packagerKilled: "packager killed"
            case .diskFull: "disk full"
            case .subtitlesLost: "subtitles lost"
            case .packagerUpgraded: "packager upgraded"
            case .cacheKilled: "cache killed"
            case .machineKilled: "machine killed"
            }
        }

        /// True if it changes the source of an encoder.
        var isOfSource: Bool {
            switch self {
            case .feed(.sourceFrozen), .feed(.sourceSilent): true
            default: false
            }
        }

        /// True if nothing is left that another fault could be done to.
        var leavesNothing: Bool {
            switch self {
            case .feed(.encoderKilled), .feed(.packetsStop), .feed(.restart), .packagerKilled, .cacheKilled,
                .machineKilled:
                true
            default: false
            }
        }
    }

    var end: MediaTime? { duration.map { start + $0 } }
}
