import Logging
import MediaCore
import NIOCore
import Operations
import Playlists
import Timeline

/// Events of the inputs.
extension ChannelEngine {
    /// The most bytes of a tag: metadata is no place for media.
    static let longestTag = 1 << 16

    /// Returns the index of the feed of an input; every input is added before its other events.
    func feed(_ input: InputID) -> FeedIndex { inputs.index(of: input) }

    mutating func add(_ input: InputID, _ pace: InputPace) {
        inputs.add(input, pace, configuration)
        if pace != .stored { inputs[feed(input)].absence.began(at: now) }
    }

    /// Notes that an input is open, for the first time, again, or with other tracks.
    mutating func opened(_ feed: FeedIndex, _ tracks: [InputTrack]) {
        let usable = carried(tracks, of: feed)
        let input = inputs[feed].id
        if usable.isEmpty { lacks("it has no track that this channel can carry", .nothingUsable, feed) }
        let isNew = !inputs[feed].isConnected
        inputs[feed].isConnected = true
        if isNew { restart(feed) }
        if !inputs.hasStarted, !usable.isEmpty {
            inputs.opened(feed, tracks, at: now)
            if mayStart { start() }
        }
        let names = usable.map { $0.service.map { "\($0)" } ?? "\($0.codec)" }.joined(separator: " ")
        inputs[feed].absence.ended()
        if isNew { inputs[feed].loss?.returned(at: now) }
        if isNew || inputs[feed].changes.admits(at: now) { log(.info, "input open", input, ["tracks": "\(names)"]) }
        if isNew { note(.inputOpened, "It delivers \(names).", input: input) }
        inputs[feed].isBeginning = isNew
        inputs[feed].unreadable = []
    }

    /// Returns true if an input must wait because the channel has no tracks yet.
    package func mustWaitForStart(_ input: InputID) -> Bool {
        // Stored inputs can wait until the others are open; live ones cannot.
        let feed = inputs[feed(input)]
        return !inputs.hasStarted && feed.pace != .live && feed.opened != nil
    }

    /// Prepares for the packets that an open input delivers from now on.
    mutating func began(_ feed: FeedIndex, _ tracks: [InputTrack], _ timestampModulus: Int64?) {
        let isNew = inputs[feed].isBeginning
        inputs[feed].isBeginning = false
        let carried = tracks.filter { configuration.carriage.verdict(on: $0).isCarried }
        let offer: InputHealth.Offer =
            carried.isEmpty ? .nothing : carried.allSatisfy(\.kind.isSparse) ? .text : .media
        inputs[feed].health.opened(at: now, offer: offer)
        if offer != .media { inputs[feed].loss = nil }
        inputs[feed].hasOpened = true
        if isNew {
            inputs.align(feed, timestampModulus: timestampModulus)
            // Stored inputs that begin together begin at one instant, or they would not be in sync.
            let earliest = max(inputs.firstOpened ?? now, now - configuration.grid.slotDuration)
            let began = inputs[feed].pace == .live ? now : earliest
            inputs[feed].timeline.opened(timestampModulus: timestampModulus, now: began)
            inputs[feed].forgetHeld()
            inputs[feed].tracks = nil
        }
        inputs[feed].described = tracks
        findPlaces(of: feed)
    }

    /// Reports why an input has nothing to give, each time that is another reason.
    mutating func lacks(_ reason: String, _ advice: ProblemAdvice, _ feed: FeedIndex) {
        guard inputs[feed].shortcoming != reason else { return }
        inputs[feed].shortcoming = reason
        report(reason, advice, input: inputs[feed].id)
    }

    /// Returns the tracks that the channel can carry, and reports why it cannot carry the others.
    private mutating func carried(_ tracks: [InputTrack], of feed: FeedIndex) -> [InputTrack] {
        tracks.filter { track in
            switch configuration.carriage.verdict(on: track) {
            case .carried(_, let warning):
                if let warning { reportOnce("track \(track.index): \(warning)", .carriedWithLimits, feed) }
                return true
            case .refused(let reason):
                // If it is transcoded to AAC, nothing is lost.
                if tracks.contains(where: { $0.transcodedFrom == track.index }) { return false }
                reportOnce("track \(track.index) is left out: \(reason)", .leftOut, feed)
                return false
            }
        }
    }

    /// True if enough inputs are open to know the channel's tracks.
    var mayStart: Bool { inputs.mayStart(configuration, known: knownPositions, at: now) }

    /// The positions whose tracks are known from an earlier run: its renditions wait for their media.
    var knownPositions: Set<InputPosition> {
        Set(renditions.compactMap { $0.restored.map { InputPosition($0.description.input) } })
    }

    /// Begins an input's tracks anew.
    mutating func restart(_ feed: FeedIndex) {
        let places = inputs[feed].places.map { Array($0.values) } ?? []
        segmenter.inputRestarted(tracks: places, source: inputs[feed].id.rank)
    }

    /// Places a tag on the timeline, once the feed has its place there.
    mutating func received(_ bytes: ByteBuffer, timestamp: Int64, of feed: FeedIndex) {
        guard bytes.readableBytes <= Self.longestTag else {
            return watches.repairs.record(RepairLog.oversizedTag, of: inputs[feed].id)
        }
        guard inputs[feed].timeline.isAnchored else { return inputs[feed].hold(tag: bytes, timestamp: timestamp) }
        guard let time = inputs[feed].timeline.place(timestamp: timestamp) else { return }
        let utc = time + inputs[feed].utcOffset + inputs[feed].shift
        inputs[feed].tags.append(TimedTag(utc: utc, bytes: bytes))
    }

    /// Notes that a finite input has come to its end; the channel ends with the last of them.
    mutating func ended(_ feed: FeedIndex) {
        inputs[feed].timeline.ended()
        if inputs[feed].timeline.isAnchored { deliverHeld(of: feed) }
        let input = inputs[feed].id
        log(.info, "input ended", input, [:])
        note(.inputEnded, "It has ended.", input: input)
        inputs[feed].hasEnded = true
        inputs[feed].absence.ended()
        inputs[feed].health.ended()
        inputs[feed].loss = nil
        if inputs.feeds.count(where: \.hasEnded) == configuration.inputs.count {
            // Inputs may have ended before the channel had waited for all of them.
            if !inputs.hasStarted { start() }
            finishJoining()
            decide(segmenter.ended())
            act(.end)
        }
        logRepairs(at: now + MediaTime(seconds: 3600))
    }

    /// The inputs that had no media, of a channel that has ended by itself, and the reasons.
    package var shortcomings: [(input: InputID, reason: String)] {
        guard isEnded else { return [] }
        let isEmpty = renditions.allSatisfy { $0.id == nil }
        return configuration.inputs.filter { isEmpty || !hasSamples(of: $0) }
            .map { input in
                let known = inputs.feeds.first { $0.id == input }?.shortcoming
                return (input, known ?? "it has no media that a stream could begin with")
            }
    }

    /// Returns true if an input has delivered anything.
    private func hasSamples(of input: InputID) -> Bool {
        renditions.indices.contains { place in
            renditions[place].plan.position == input.position
                && segmenter.hasSamples(track: place, source: input.rank)
        }
    }
}

// MARK: - Stored feeds

extension ChannelEngine {
    /// Advances to the time that all stored inputs have reached: they are each other's clock.
    mutating func followStoredMedia(_ utc: MediaTime) {
        advance(to: (inputs.slowest() ?? utc) - configuration.grid.slotDuration * 2)
    }

    /// Returns true if a stored input is so far ahead of the others that it must wait for them.
    package func isFarAhead(_ input: InputID) -> Bool {
        !configuration.isPaced && inputs.isAhead(input, by: configuration.grid.slotDuration * 4)
    }
}
