import Logging
import MediaCore
import NIOCore
import Operations
import Playlists
import Timeline

/// What is heard of the inputs.
extension ChannelEngine {
    /// How long a channel waits for its other inputs once one is there.
    private static let patience = MediaTime(seconds: 10)
    /// How long it waits for an input whose backup is there.
    private static let backupPatience = MediaTime(seconds: 2)
    /// Bytes; metadata is no place for media.
    static let longestTag = 1 << 16

    /// Which of the feeds an input is; every input is added before anything else is heard of it.
    func feed(_ input: InputID) -> FeedIndex {
        guard let index = feeds.firstIndex(where: { $0.id == input }) else {
            preconditionFailure("\(input) was not added")
        }
        return FeedIndex(index)
    }

    mutating func add(_ input: InputID, _ pace: InputPace) {
        // Only what arrives as it is made has an arrival that can be compared, and one backup is aligned.
        let isAligned =
            configuration.clock == .arrival && pace == .live && input.rank <= 1 && configuration.backupCount > 0
        if isAligned, alignments[input.position] == nil { alignments[input.position] = InputAlignment() }
        feeds.append(Feed(id: input, pace: pace, isAligned: isAligned, configuration))
        feeds.sort { $0.id < $1.id }
        if pace != .stored { feeds[feed(input).value].absence.began(at: now) }
    }

    /// An input is open, for the first time, again, or with other tracks.
    mutating func opened(_ feed: FeedIndex, _ tracks: [InputTrack]) {
        let usable = carried(tracks, of: feed)
        let input = feeds[feed.value].id
        if usable.isEmpty { lacks("it has no track that this channel can carry", feed) }
        let isNew = !feeds[feed.value].isConnected
        feeds[feed.value].isConnected = true
        if isNew { restart(feed) }
        if !hasStarted, !usable.isEmpty {
            firstOpened = firstOpened ?? now
            feeds[feed.value].opened = tracks
            if mayStart { start() }
        }
        let names = usable.map { $0.service.map { "\($0)" } ?? "\($0.codec)" }.joined(separator: " ")
        feeds[feed.value].absence.ended()
        if isNew { feeds[feed.value].loss?.returned(at: now) }
        log(.info, "input open", input, ["tracks": "\(names)"])
        if isNew { note(.inputOpened, "It delivers \(names).", input: input) }
        feeds[feed.value].isBeginning = isNew
        feeds[feed.value].unreadable = []
    }

    /// Whether an input that can wait has to, because the channel has no tracks yet.
    package func mustWaitForStart(_ input: InputID) -> Bool {
        // What is stored can wait until the others are there; what is live cannot.
        let feed = feeds[feed(input).value]
        return !hasStarted && feed.pace != .live && feed.opened != nil
    }

    /// What an open input delivers follows.
    mutating func began(_ feed: FeedIndex, _ tracks: [InputTrack], _ timestampModulus: Int64?) {
        let isNew = feeds[feed.value].isBeginning
        feeds[feed.value].isBeginning = false
        // Text may have nothing to say for hours, and what cannot be carried is not missed.
        let bringsMedia = tracks.contains { !$0.kind.isSparse && configuration.carriage.verdict(on: $0).isCarried }
        feeds[feed.value].health.opened(at: now, bringsMedia: bringsMedia)
        if !bringsMedia { feeds[feed.value].loss = nil }
        feeds[feed.value].hasOpened = true
        if isNew {
            if feeds[feed.value].isAligned {
                alignments[feeds[feed.value].id.position]?.opened(
                    feeds[feed.value].side,
                    timestampModulus: timestampModulus
                )
            }
            // Stored inputs that begin together begin at one instant, or they would not be in sync.
            let began =
                feeds[feed.value].pace == .live ? now : max(firstOpened ?? now, now - configuration.grid.slotDuration)
            feeds[feed.value].timeline.opened(timestampModulus: timestampModulus, now: began)
            feeds[feed.value].held.removeAll()
            feeds[feed.value].tracks = nil
        }
        feeds[feed.value].described = tracks
        findPlaces(of: feed)
    }

    /// Says why an input has nothing to give, each time that is another reason.
    mutating func lacks(_ reason: String, _ feed: FeedIndex) {
        guard feeds[feed.value].shortcoming != reason else { return }
        feeds[feed.value].shortcoming = reason
        report(reason, input: feeds[feed.value].id)
    }

    /// The tracks that the channel can carry; of the others it is said why not.
    private mutating func carried(_ tracks: [InputTrack], of feed: FeedIndex) -> [InputTrack] {
        tracks.filter { track in
            switch configuration.carriage.verdict(on: track) {
            case .carried(_, let warning):
                if let warning { reportOnce("track \(track.index): \(warning)", feed) }
                return true
            case .refused(let reason):
                // Where AAC is made of it, nothing is lost.
                if tracks.contains(where: { $0.transcodedFrom == track.index }) { return false }
                reportOnce("track \(track.index) is left out: \(reason)", feed)
                return false
            }
        }
    }

    /// Whether enough inputs are open to know the channel's tracks.
    var mayStart: Bool {
        guard let first = firstOpened else { return false }
        let opened = feeds.filter { $0.opened != nil }.map(\.id)
        let positions = 0..<configuration.inputCount
        if positions.allSatisfy({ opened.contains(.input($0)) }) { return true }
        let missing = positions.filter { position in !opened.contains { $0.position == position } }
        // What an earlier run has published is waiting for media, and says what an input has that is not there.
        let known = Set(renditions.compactMap { $0.restored?.description.input })
        if !known.isEmpty, known.isSuperset(of: missing) { return true }
        return now - first > (missing.isEmpty ? Self.backupPatience : Self.patience)
    }

    /// An input's tracks begin anew.
    mutating func restart(_ feed: FeedIndex) {
        let places = feeds[feed.value].places.map { Array($0.values) } ?? []
        segmenter.inputRestarted(tracks: places, source: feeds[feed.value].id.rank)
    }

    /// A tag has its place on the timeline.
    mutating func received(_ bytes: ByteBuffer, timestamp: Int64, of feed: FeedIndex) {
        guard bytes.readableBytes <= Self.longestTag,
            let time = feeds[feed.value].timeline.place(timestamp: timestamp)
        else { return }
        let utc = time + feeds[feed.value].utcOffset + feeds[feed.value].shift
        feeds[feed.value].tags.append(TimedTag(utc: utc, bytes: bytes))
    }

    /// There is something about an input that its operator may want to change.
    mutating func noticed(_ notice: InputNotice, of input: InputID) {
        switch notice {
        case .programs(let carried, let read):
            let numbers = carried.map(String.init).joined(separator: ", ")
            if let program = configuration.program, read.isEmpty {
                report("it has no program \(program); it has \(numbers)", input: input)
            } else if carried.count > 1, configuration.program == nil {
                let chosen = read.first.map { "\($0) is read" } ?? "none is read yet"
                report("it has more than one program (\(numbers)): \(chosen); choose with program", input: input)
            }
        case .metadata:
            positionsWithTags.insert(input.position)
        case .notTranscoded(let track, let reason):
            report("track \(track) is not transcoded: \(reason)", input: input)
        case .notExamined(let track, let reason):
            let what = track.map { "track \($0)" } ?? "it"
            reportOnce("\(what) is not watched for frozen pictures or silence: \(reason)", feed(input))
        case .textNotRead(let service, let obstacle):
            reportOnce("\(service) is not read: \(obstacle.reason)", feed(input))
        case .teletextUnreadable(_, let pages, let fault): tellUnreadable(pages, fault, of: input)
        case .teletextReadable(_, let pages, let seconds): tellReadable(pages, after: seconds, of: input)
        case .unregisteredSplices(_, let pids):
            if configuration.spliceMarkers == .none { break }
            let numbers = pids.map(String.init).joined(separator: ", ")
            reportOnce(
                "nothing is read of PID \(numbers): its stream type, 0x86, is that of SCTE 35, but the program map does not register "
                    + "it (CUEI); if it is SCTE 35, say so with scte35-pid: [auto]",
                feed(input)
            )
        case .unreadableSplice(let reason):
            repairs.record(RepairLog.unreadableSplice, of: input, because: reason)
        case .publisherRefused(let peer, let reason):
            log(.warning, "a publisher was refused: \(reason)", input, ["peer": "\(peer)"])
            note(.publisherRefused, "A publisher at \(peer) was refused: \(reason).", input: input)
        case .publishersCrowded(let network, let held):
            log(
                .warning,
                "connections without a key crowd the listener",
                input,
                [
                    "peer": "\(network)", "connections": .number(held),
                    "viewers": "they lose nothing: encoders are still let in",
                    "do": "block that address in the firewall, or name those of the encoders in allowed-publishers",
                ]
            )
            note(
                .publisherRefused,
                "\(network) holds \(held) connections without a key; they give way to others, and encoders are still let in.",
                input: input
            )
        case .undecodableFrame:
            repairs.record(RepairLog.undecodableAudio, of: input)
        case .library(let line):
            tell(line, of: feed(input))
        }
    }

    /// A finite input has come to its end; the channel ends with the last of them.
    mutating func ended(_ feed: FeedIndex) {
        feeds[feed.value].timeline.ended()
        if feeds[feed.value].timeline.isAnchored { deliverHeld(of: feed) }
        let input = feeds[feed.value].id
        log(.info, "input ended", input, [:])
        note(.inputEnded, "It has come to its end.", input: input)
        feeds[feed.value].hasEnded = true
        feeds[feed.value].absence.ended()
        feeds[feed.value].health.ended()
        feeds[feed.value].loss = nil
        if feeds.count(where: \.hasEnded) == configuration.inputs.count {
            // Inputs may have ended before the channel had waited for all of them.
            if !hasStarted { start() }
            finishJoining()
            decide(segmenter.ended())
            isEnded = true
            act(.end)
        }
        logRepairs(at: now + MediaTime(seconds: 3600))
    }

    /// What a channel that has ended by itself could not make anything of: inputs that had no media, and why.
    package var shortcomings: [(input: InputID, reason: String)] {
        guard isEnded else { return [] }
        let isEmpty = renditions.allSatisfy { $0.id == nil }
        return configuration.inputs.filter { isEmpty || !hasSamples(of: $0) }
            .map { input in
                let known = feeds.first { $0.id == input }?.shortcoming
                return (input, known ?? "it has no media that a stream could begin with")
            }
    }

    /// Whether an input has delivered anything.
    private func hasSamples(of input: InputID) -> Bool {
        renditions.range.contains { place in
            renditions[place.value].plan.position == input.position
                && segmenter.hasSamples(track: place, source: input.rank)
        }
    }
}

// MARK: - Stored feeds

extension ChannelEngine {
    /// Unpaced inputs are each other's clock: what all have passed is waited for no longer.
    mutating func followStoredMedia(_ utc: MediaTime) {
        advance(to: (slowestInput() ?? utc) - configuration.grid.slotDuration * 2)
    }

    /// Whether a stored input has run so far ahead of the others that it has to wait for them.
    package func isFarAhead(_ input: InputID) -> Bool {
        guard !configuration.isPaced, feeds.count > 1, let reached = feeds[feed(input).value].reached,
            let slowest = slowestInput(besides: input)
        else { return false }
        return reached > slowest + configuration.grid.slotDuration * 4
    }

    /// How far the input has come that is furthest behind; nil if all have ended.
    private func slowestInput(besides input: InputID? = nil) -> MediaTime? {
        var slowest: MediaTime?
        for feed in feeds.range
        where feeds[feed.value].places != nil && feeds[feed.value].id != input && !feeds[feed.value].hasEnded {
            let reached = feeds[feed.value].reached ?? .zero
            slowest = min(slowest ?? reached, reached)
        }
        return slowest
    }
}
