package import MediaCore

/// Watches how well one input delivers: a score from 0 to 100, with reasons.
///
/// It sees when packets come and how large they are; their content is reported by the content checks. It decides
/// nothing: which input fills a slot follows from the slots themselves, and a score warns and is shown.
///
/// Pure, O(1) a packet, and no allocation once its tracks are known. All times are UTC of arrival, but for what is
/// found in the content, which is timed by the input itself. A clock that is set back makes ages zero, never negative.
/// Only feeds that come as they are made can be judged by it.
package struct InputHealth: Sendable {
    let checks: Checks
    var silence: SilenceWatch
    var connection = Connection.neverOpened
    var offer = Offer.media
    /// The arrival of the newest packet, or the time of opening.
    package internal(set) var lastArrival = MediaTime.zero
    var tracks: [Track] = []
    var bitrate = BitrateMeter()
    var continuityErrors = ErrorCounter()
    var timestampErrors = ErrorCounter()
    var dependentSegments = ErrorCounter()
    /// The datagrams lost since the start.
    var datagramLosses = DatagramLosses()

    enum Connection: Sendable {
        case neverOpened
        case open
        case lost(since: MediaTime)
    }

    /// The most tracks that are judged, more than any feed for television has; packets of further tracks count for the
    /// bit rate alone.
    private static let mostTracks = 64

    /// - Parameters:
    ///   - checks: The checks of the content.
    ///   - timeout: An input that brings no media for this long is lost; nil for never.
    package init(checks: Checks = Checks(), timeout: MediaTime? = nil) {
        self.checks = checks
        silence = SilenceWatch(timeout: timeout)
    }

    /// The longest silence between packets that is usual: of a feed that is fetched in segments, more than a segment.
    var patience: MediaTime {
        guard var longest = tracks.first?.rhythm.patience else { return DeliveryRhythm().patience }
        for index in 1..<tracks.count { longest = max(longest, tracks[index].rhythm.patience) }
        return longest
    }

    /// True if it is open and brings nothing.
    package var isMute: Bool { silence.silentSince != nil }

    /// The input is open, for the first time or again.
    ///
    /// - Parameters:
    ///   - now: UTC.
    ///   - offer: The media that the channel can take from it.
    package mutating func opened(at now: MediaTime, offer: Offer = .media) {
        if offer == .media { silence.opened(at: now) } else { silence.closed() }
        self.offer = offer
        connection = .open
        lastArrival = now
        tracks.removeAll(keepingCapacity: true)
        bitrate.restart(at: now)
    }

    /// Notes that the input broke off; repeated, or for an input that was never open, it changes nothing.
    package mutating func lost(at now: MediaTime) {
        guard case .open = connection else { return }
        connection = .lost(since: silence.silentSince ?? now)
        silence.closed()
    }

    /// The input has come to its end: nothing is missed any more.
    package mutating func ended() { silence.closed() }

    /// Takes the arrival of a packet of audio or video, used or not.
    ///
    /// - Parameters:
    ///   - track: Its track.
    ///   - mediaTime: On the input's own timeline.
    ///   - arrival: UTC.
    package mutating func arrived(track: InputTrackIndex, mediaTime: MediaTime, at arrival: MediaTime) {
        silence.received(track: track, mediaTime: mediaTime, at: arrival)
    }

    /// Advances the time; to be called a few times a second.
    ///
    /// - Returns: The news if the input has fallen silent, or is back; nil for none.
    package mutating func timeAdvanced(to now: MediaTime) -> SilenceWatch.News? {
        silence.timeAdvanced(to: now, patience: patience)
    }

    /// A packet arrived.
    package mutating func received(_ packet: Packet, at arrival: MediaTime) {
        if case .open = connection {} else { opened(at: arrival) }
        let usual = patience
        if arrival - lastArrival > usual {
            for index in tracks.indices { tracks[index].interrupted() }
        }
        lastArrival = arrival
        bitrate.received(byteCount: packet.byteCount, patience: usual, at: arrival)
        if let index = tracks.firstIndex(where: { $0.index == packet.trackIndex }) {
            tracks[index].received(packet, at: arrival)
        } else if tracks.count < Self.mostTracks {
            tracks.append(Track(packet, openedAt: arrival))
            tracks[tracks.count - 1].received(packet, at: arrival)
        }
    }

    /// A packet's content was decoded; findings about tracks without packets are passed over.
    package mutating func examined(_ finding: ContentFinding) {
        guard let index = tracks.firstIndex(where: { $0.index == finding.trackIndex }) else { return }
        tracks[index].examined(finding)
    }

    /// The transport lost or damaged packets: a gap in continuity counters, a checksum, an error indicator.
    package mutating func continuityError(at now: MediaTime) {
        continuityErrors.add(at: now)
    }

    /// Takes losses of datagrams before they were read.
    package mutating func datagramsLost(_ losses: DatagramLosses) { datagramLosses = datagramLosses + losses }

    /// Takes the repair of a timestamp, see ``TimelineRepair``.
    package mutating func timestampRepair(at now: MediaTime) {
        timestampErrors.add(at: now)
    }

    /// Takes a cut where not every player can begin: without a key frame, or at an open group of pictures.
    package mutating func dependentSegment(at now: MediaTime) {
        dependentSegments.add(at: now)
    }
}

extension InputHealth {
    /// The media that a channel can take from an input.
    package enum Offer: Hashable, Sendable {
        /// Sound or pictures, which are missed if they stop.
        case media
        /// Text alone, which may pause for hours.
        case text
        /// Nothing: none of its tracks can be carried.
        case nothing
    }

    /// The checks of the content; nil leaves one out.
    package struct Checks: Hashable, Sendable {
        /// The time that a picture may stay the same before it counts as frozen.
        var frozen: MediaTime?
        /// The time that all audio may stay silent.
        var silence: MediaTime?

        package init(frozen: MediaTime? = nil, silence: MediaTime? = nil) {
            self.frozen = frozen
            self.silence = silence
        }
    }
}
