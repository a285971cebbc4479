import Foundation
import Logging
import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization
import Timeline

/// What the inputs tell the channel, on their own threads.
extension Channel {
    /// How long a channel waits for its other inputs once one is there.
    private static let patience = MediaTime(seconds: 10)
    /// How long it waits for an input whose backup is there.
    private static let backupPatience = MediaTime(seconds: 2)

    /// An input is open, for the first time, again, or with other tracks.
    ///
    /// - Returns: Since when its timeline counts where that begins anew, which is not so where only the tracks changed.
    func inputOpened(_ input: InputID, tracks: [InputTrack], pace: InputPace) -> MediaTime? {
        let usable = carried(tracks, of: input)
        if usable.isEmpty { lacks("it has no track that this channel can carry", input: input) }
        let now = clock.now
        let (isNew, hasStarted) = state.withLock { state in
            let isNew = state.connected.insert(input).inserted
            if isNew { state.restart(input) }
            guard !state.hasStarted, !usable.isEmpty else { return (isNew, false) }
            state.firstOpened = state.firstOpened ?? now
            state.opened[input] = tracks
            guard mayStart(state, at: now) else { return (isNew, false) }
            start(&state)
            return (isNew, true)
        }
        if hasStarted { wakeInputs() }
        let names = usable.map { "\($0.codec)" }.joined(separator: " ")
        logger.info("input open", metadata: ["input": "\(input)", "tracks": "\(names)"])
        if isNew { note(.inputOpened, "It delivers \(names).", input: input) }
        // What is stored can wait until the others are there; what is live cannot.
        if pace != .live, !usable.isEmpty { wait { $0.hasStarted } }
        guard isNew else { return nil }
        // Stored inputs that begin together begin at one instant, or they would not be in sync.
        return pace == .live
            ? now : state.withLock { max($0.firstOpened ?? now, now - configuration.grid.slotDuration) }
    }

    /// Says why an input has nothing to give, each time that is another reason.
    func lacks(_ reason: String, input: InputID) {
        let before = state.withLock { $0.shortcomings.updateValue(reason, forKey: input) }
        if before != reason { report(reason, input: input) }
    }

    /// Says something that an input does each time it is opened.
    func reportOnce(_ problem: String, input: InputID) {
        if state.withLock({ $0.said[input, default: []].insert(problem).inserted }) { report(problem, input: input) }
    }

    /// The tracks that the channel can carry; of the others it is said why not.
    func carried(_ tracks: [InputTrack], of input: InputID) -> [InputTrack] {
        tracks.filter { track in
            switch configuration.carriage.verdict(on: track) {
            case .carried(_, let warning):
                if let warning { reportOnce("track \(track.index): \(warning)", input: input) }
                return true
            case .refused(let reason):
                // Where AAC is made of it, nothing is lost.
                if tracks.contains(where: { $0.transcodedFrom == track.index }) { return false }
                reportOnce("track \(track.index) is left out: \(reason)", input: input)
                return false
            }
        }
    }

    /// Whether enough inputs are open to know the channel's tracks.
    func mayStart(_ state: borrowing State, at now: MediaTime) -> Bool {
        guard let first = state.firstOpened else { return false }
        let opened = state.opened
        let positions = 0..<configuration.inputCount
        if positions.allSatisfy({ opened[.input($0)] != nil }) { return true }
        let missing = positions.filter { position in !opened.keys.contains { $0.position == position } }
        let isCovered = missing.isEmpty
        // What an earlier run has published is waiting for media, and says what an input has that is not there.
        let known = Set(state.restored.values.map(\.description.input))
        if !known.isEmpty, known.isSuperset(of: missing) { return true }
        return now - first > (isCovered ? Self.backupPatience : Self.patience)
    }

    /// An input broke off, or could not be opened.
    func inputLost(_ input: InputID, reason: String) {
        let wasConnected = state.withLock { state in
            state.restart(input)
            // What is known of its tracks says more than how its end was reached.
            if state.shortcomings[input] == nil { state.shortcomings[input] = reason }
            return state.connected.remove(input) != nil
        }
        if wasConnected {
            logger.warning("input lost", metadata: ["input": "\(input)", "reason": "\(reason)"])
            note(.inputLost, "It broke off: \(reason).", input: input)
        } else {
            record("\(RepairLog.failedConnection)\(input): \(reason)")
        }
    }

    /// A picture was lost, to which those after it refer until the next sync sample if it was one itself.
    func pictureLost(_ input: InputID, track: Int, isSync: Bool) {
        state.withLock { $0.segmenter.pictureLost(track: track, source: input.rank, isSync: isSync) }
    }

    /// A video carries captions: they are declared from the next slot on.
    ///
    /// - Parameters:
    ///   - channels: As INSTREAM-ID names them; all that were seen so far.
    ///   - place: The video's.
    func captionsSeen(_ channels: [String], place: Int) {
        let new = state.withLock { state in
            let known = state.plans[place].captions
            let new = channels.filter { channel in !known.contains { $0.instreamID == channel } }
            var names = UniqueNames(taken: known.map(\.name))
            state.plans[place].captions += new.map { channel in
                MultivariantPlaylist.ClosedCaptions(
                    groupID: Configuration.captionsGroup,
                    name: names.claim(channel),
                    instreamID: channel
                )
            }
            if !new.isEmpty { state.mustDeclare = true }
            return new
        }
        if !new.isEmpty { logger.info("captions", metadata: ["channels": "\(new.joined(separator: " "))"]) }
    }

    /// A tag has its place on the timeline.
    func received(_ tag: TimedTag, input: InputID) {
        guard configuration.format == .transportStream else { return }
        state.withLock { $0.tags[input, default: TimedTags()].append(tag) }
    }

    /// There is something about an input that its operator may want to change.
    func inputNoticed(_ notice: InputNotice, of input: InputID) {
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
            state.withLock { _ = $0.positionsWithTags.insert(input.position) }
        case .notTranscoded(let track, let reason):
            report("track \(track) is not transcoded: \(reason)", input: input)
        case .notExamined(let track, let reason):
            let what = track.map { "track \($0)" } ?? "it"
            reportOnce("\(what) is not watched for frozen pictures or silence: \(reason)", input: input)
        case .undecodableFrame:
            record(RepairLog.undecodableSound)
        }
    }

    /// A finite input has come to its end; the channel ends with the last of them.
    func inputEnded(_ input: InputID) {
        logger.info("input ended", metadata: ["input": "\(input)"])
        note(.inputEnded, "It has come to its end.", input: input)
        state.withLock { state in
            state.endedInputs.insert(input)
            guard state.endedInputs.count == configuration.inputs.count else { return }
            // Inputs may have ended before the channel had waited for all of them.
            if !state.hasStarted { start(&state) }
            finishJoining(&state)
            publish(state.segmenter.ended(), &state)
            state.isEnded = true
            presentation.end(now: clock.now)
            endpoint.ended()
            mirror?.follow(presentation)
        }
        wakeInputs()
        logRepairs(at: clock.now + MediaTime(seconds: 3600))
    }

    /// A sample has its place on the timeline.
    func received(
        _ sample: Sample,
        input: InputID,
        track: Int,
        configuration codec: CodecConfiguration,
        utcOffset: MediaTime,
        arrival: MediaTime
    ) {
        state.withLock { state in
            receivedBytes.add(sample.payload.readableBytes, ordering: .relaxed)
            let slots = state.segmenter.received(
                sample,
                track: track,
                source: input.rank,
                configuration: codec,
                utcOffset: utcOffset,
                arrival: configuration.isPaced ? arrival : nil
            )
            if !slots.isEmpty { publish(slots, &state) }
        }
        if !configuration.isPaced { followStoredMedia(input, utc: sample.presentationTime + utcOffset) }
    }
}

// MARK: - Stored feeds

extension Channel {
    /// Unpaced inputs are each other's clock: none runs far ahead, and what all have passed is waited for no longer.
    private func followStoredMedia(_ input: InputID, utc: MediaTime) {
        let slotDuration = configuration.grid.slotDuration
        state.withLock { state in
            state.reached[input] = max(state.reached[input] ?? utc, utc)
            advance(&state, to: (state.slowestInput() ?? utc) - slotDuration * 2)
        }
        guard configuration.inputs.count > 1 else { return }
        wakeInputs()
        wait { state in
            state.slowestInput(besides: input).map { utc <= $0 + slotDuration * 4 } ?? true
        }
    }

    /// Blocks a stored input's thread until it may go on.
    private func wait(until condition: @Sendable (borrowing State) -> Bool) {
        progress.lock()
        defer { progress.unlock() }
        while !isStopped.load(ordering: .relaxed), !state.withLock({ condition($0) }) { progress.wait() }
    }

    /// Lets inputs that wait look again; never called with ``state`` held.
    func wakeInputs() {
        guard configuration.inputs.count > 1 else { return }
        progress.lock()
        progress.broadcast()
        progress.unlock()
    }
}

extension Channel.State {
    /// Whether an input has delivered anything.
    func hasSamples(of input: InputID) -> Bool {
        plans.indices.contains { place in
            plans[place].position == input.position && segmenter.hasSamples(track: place, source: input.rank)
        }
    }

    /// An input's tracks begin anew.
    fileprivate mutating func restart(_ input: InputID) {
        segmenter.inputRestarted(tracks: places[input].map { Array($0.values) } ?? [], source: input.rank)
    }

    /// How far the input has come that is furthest behind; nil if all have ended.
    fileprivate borrowing func slowestInput(besides input: InputID? = nil) -> MediaTime? {
        var slowest: MediaTime?
        for other in places.keys where other != input && !endedInputs.contains(other) {
            slowest = min(slowest ?? reached[other] ?? .zero, reached[other] ?? .zero)
        }
        return slowest
    }
}
