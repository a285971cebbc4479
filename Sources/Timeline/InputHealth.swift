package import MediaCore

/// Watches how well one input delivers: a score from 0 to 100, with reasons.
///
/// It sees when packets come, how large they are and which repeat, never what is in them. It decides nothing: which
/// input fills a slot follows from the slots themselves, and a score warns and is shown.
///
/// Pure, O(1) a packet, and no allocation once its tracks are known. All times are UTC of arrival; a clock that is set
/// back makes ages zero, never negative. Only feeds that come as they are made can be judged by it.
package struct InputHealth: Sendable {
    let checks: Checks
    let patience: MediaTime
    var connection = Connection.neverOpened
    /// Of the newest packet, or when it was opened.
    var lastArrival = MediaTime.zero
    var tracks: [Track] = []
    var bitrate: BitrateMeter
    var continuityErrors = ErrorCounter()
    var timestampErrors = ErrorCounter()

    enum Connection: Sendable {
        case neverOpened
        case open
        case lost(since: MediaTime)
    }

    /// More than any feed for television has; packets of further tracks count for the bit rate alone.
    private static let mostTracks = 64

    /// - Parameters:
    ///   - checks: What of the content is watched.
    ///   - patience: The longest silence between packets that is usual: above zero, and longer than a segment for
    ///     inputs that are fetched in segments.
    package init(checks: Checks = Checks(), patience: MediaTime = MediaTime(seconds: 1)) {
        precondition(patience > .zero, "some silence is usual")
        self.checks = checks
        self.patience = patience
        bitrate = BitrateMeter(patience: patience)
    }

    /// The input is open, for the first time or again.
    package mutating func opened(at now: MediaTime) {
        connection = .open
        lastArrival = now
        tracks.removeAll(keepingCapacity: true)
        bitrate.restart(at: now)
    }

    /// The input broke off; told again, or of an input that was never open, it changes nothing.
    package mutating func lost(at now: MediaTime) {
        guard case .open = connection else { return }
        connection = .lost(since: now)
    }

    /// A packet arrived.
    package mutating func received(_ packet: Packet, at arrival: MediaTime) {
        if case .open = connection {} else { opened(at: arrival) }
        if arrival - lastArrival > patience {
            for index in tracks.indices { tracks[index].interrupted() }
        }
        lastArrival = arrival
        bitrate.received(byteCount: packet.byteCount, at: arrival)
        if let index = tracks.firstIndex(where: { $0.index == packet.trackIndex }) {
            tracks[index].received(packet, checks: checks, at: arrival)
        } else if tracks.count < Self.mostTracks {
            tracks.append(Track(packet, openedAt: arrival))
            tracks[tracks.count - 1].received(packet, checks: checks, at: arrival)
        }
    }

    /// The transport lost or damaged packets: a gap in continuity counters, a checksum, an error indicator.
    package mutating func continuityError(at now: MediaTime) {
        continuityErrors.add(at: now)
    }

    /// A timestamp had to be repaired, see ``TimelineRepair``.
    package mutating func timestampRepair(at now: MediaTime) {
        timestampErrors.add(at: now)
    }
}

extension InputHealth {
    /// What of the content is watched; nil leaves a check out.
    package struct Checks: Hashable, Sendable {
        /// How long a picture may stay the same before it counts as frozen.
        package var frozen: MediaTime?
        /// How long all audio may stay silent.
        package var silence: MediaTime?

        package init(frozen: MediaTime? = nil, silence: MediaTime? = nil) {
            self.frozen = frozen
            self.silence = silence
        }
    }
}
