package import MediaCore

extension InputHealth {
    /// The health of an input at one time.
    package struct Report: Hashable, Sendable {
        /// 100 less the costs of its faults; at least 0.
        package var score: Int
        /// Worst first; empty at 100.
        package var reasons: [Reason]
        /// Bit/s over the last seconds.
        package var bitrate: Int
        /// The age of the newest key frame, of the video track that waits longest for one; nil without video.
        package var lastKeyFrameAge: MediaTime?
        package var continuityErrors: ErrorCount
        package var timestampErrors: ErrorCount
        /// The datagrams lost since the start.
        package var datagramLosses = DatagramLosses()
        package var isFrozen: Bool
        package var isSilent: Bool
        package var isConnected: Bool

        /// True if the feed is open, although it may have brought nothing for a while.
        package var isOpen: Bool {
            !reasons.contains { reason in
                switch reason.finding {
                case .neverOpened, .connectionLost: true
                default: false
                }
            }
        }

        /// True if the input brings nothing.
        package var isAway: Bool { reasons.contains { [.disconnected, .stalled].contains($0.fault) } }
    }

    /// A finding and its cost.
    package struct Reason: Hashable, Sendable {
        package var finding: Finding
        /// Points, 1 to 100.
        var deduction: Int

        package var fault: Fault { finding.fault }
    }

    /// A fault of an input, with the measures that show it.
    package enum Finding: Hashable, Sendable {
        /// The input was never connected.
        case neverOpened
        /// The connection was lost so long ago.
        case connectionLost(age: MediaTime)
        /// The input is connected, and has delivered no media for so long.
        case noMedia(MediaTime)
        /// The input is connected, and the channel can carry none of its tracks.
        case nothingUsable
        /// Packets have stopped for so long.
        case noPackets(MediaTime)
        /// A track has stopped for so long while others continue.
        case trackStopped(TrackName, MediaTime)
        /// The last key frame of a track is so old.
        case keyFrameOverdue(TrackName, age: MediaTime, expected: MediaTime)
        /// A track has had no key frame for so long.
        case noKeyFrame(TrackName, MediaTime)
        /// The number in the last minute.
        case continuityErrors(Int)
        /// The number of timestamps that were repaired in the last minute.
        case timestampErrors(Int)
        /// The number of segments of the last minute that did not begin with an IDR picture.
        case dependentSegments(Int)
        /// A bit rate far below the usual one, in bit/s.
        case bitrateFallen(to: Int, usual: Int)
        /// A track has shown the same picture for so long.
        case frozen(TrackName, MediaTime)
        /// All audio has been silent for so long.
        case silent(MediaTime)

        package var fault: Fault {
            switch self {
            case .neverOpened, .connectionLost, .noMedia: .disconnected
            case .nothingUsable, .noPackets: .stalled
            case .trackStopped: .trackLost
            case .keyFrameOverdue, .noKeyFrame: .keyFrameOverdue
            case .continuityErrors: .continuityErrors
            case .timestampErrors: .timestampErrors
            case .dependentSegments: .dependentSegments
            case .bitrateFallen: .bitrateFallen
            case .frozen: .frozen
            case .silent: .silent
            }
        }
    }

    /// A track by its kind and its index.
    package struct TrackName: Hashable, Sendable {
        package var kind: MediaKind
        package var index: InputTrackIndex
    }

    /// The kinds of faults of an input; raw values are their names in the control API.
    package enum Fault: String, Hashable, Sendable, CaseIterable {
        case disconnected
        case stalled
        case trackLost = "track-lost"
        case keyFrameOverdue = "key-frame-overdue"
        case continuityErrors = "continuity-errors"
        case timestampErrors = "timestamp-errors"
        case bitrateFallen = "bitrate-fallen"
        case dependentSegments = "dependent-segments"
        case frozen
        case silent
    }

    /// The number of times that something went wrong.
    package struct ErrorCount: Hashable, Sendable {
        var lastMinute: Int
        /// The number since the program started.
        package var total: Int
    }
}
