import Foundation
import Logging
import MediaCore
import NIOCore
import Presentation
import Synchronization
import Timeline

/// What the inputs tell the channel, on their own threads.
extension Channel {
    /// An input is open, for the first time, again, or with other tracks.
    ///
    /// - Returns: Since when its timeline counts where that begins anew, which is not so where only the tracks changed.
    func inputOpened(_ input: Int, tracks: [InputTrack], pace: InputPace) -> MediaTime? {
        for track in tracks {
            guard case .unsupported(let codec) = track.codec else { continue }
            report("track \(track.index) is left out: codec \(codec) is not supported", input: input)
        }
        let usable = tracks.filter(\.isSupported)
        if usable.isEmpty { report("it has neither H.264 video nor AAC audio", input: input) }
        let now = clock.now
        let (isNew, hasStarted) = state.withLock { state in
            let isNew = state.connected.insert(input).inserted
            if state.segmenter != nil {
                if isNew { state.segmenter?.inputRestarted(tracks: state.places[input] ?? []) }
                return (isNew, false)
            }
            guard !usable.isEmpty else { return (isNew, false) }
            state.firstOpened = state.firstOpened ?? now
            state.opened[input] = usable
            guard state.opened.count == configuration.inputCount else { return (isNew, false) }
            start(&state)
            return (isNew, true)
        }
        if hasStarted { wakeInputs() }
        let names = usable.map { "\($0.codec)" }.joined(separator: " ")
        logger.info("input open", metadata: ["input": "\(input)", "tracks": "\(names)"])
        // What is stored can wait until the others are there; what is live cannot.
        if pace != .live, !usable.isEmpty { wait { $0.segmenter != nil } }
        guard isNew else { return nil }
        // Stored inputs that begin together begin at one instant, or they would not be in sync.
        return pace == .live
            ? now : state.withLock { max($0.firstOpened ?? now, now - configuration.grid.slotDuration) }
    }

    /// Where an input's tracks are in the channel; nil as long as the channel has none.
    func places(for tracks: [InputTrack], of input: Int) -> [(track: InputTrack, place: Int)]? {
        state.withLock { state in
            guard state.segmenter != nil else { return nil }
            var free = state.places[input] ?? []
            return tracks.filter(\.isSupported).compactMap { track in
                // A reopened container may number and order its tracks differently: the language tells them apart,
                // else the nth of a kind is the nth of that kind.
                let alike = free.indices.filter { state.plans[free[$0]].kind == track.kind }
                let same = alike.first { state.plans[free[$0]].inputLanguage == track.language }
                guard let choice = same ?? alike.first else { return nil }
                return (track, free.remove(at: choice))
            }
        }
    }

    /// An input broke off, or could not be opened.
    func inputLost(_ input: Int, reason: String) {
        let wasConnected = state.withLock { state in
            state.segmenter?.inputRestarted(tracks: state.places[input] ?? [])
            return state.connected.remove(input) != nil
        }
        if wasConnected {
            logger.warning("input lost", metadata: ["input": "\(input)", "reason": "\(reason)"])
        } else {
            record("\(RepairLog.failedConnection)input \(input): \(reason)")
        }
    }

    /// A picture was lost that others refer to.
    func inputDamaged(track: Int) {
        state.withLock { $0.segmenter?.inputRestarted(tracks: [track]) }
    }

    /// A finite input has come to its end; the channel ends with the last of them.
    func inputEnded(_ input: Int) {
        logger.info("input ended", metadata: ["input": "\(input)"])
        state.withLock { state in
            state.endedInputs.insert(input)
            guard state.endedInputs.count == configuration.inputCount else { return }
            // Inputs may have ended before the channel had waited for all of them.
            if state.segmenter == nil { start(&state) }
            publish(state.segmenter?.ended() ?? [], &state)
            state.isEnded = true
            presentation.end(now: clock.now)
            mirrorChanges()
        }
        wakeInputs()
        logRepairs(at: clock.now + MediaTime(seconds: 3600))
    }

    /// A sample has its place on the timeline.
    func received(
        _ sample: Sample,
        input: Int,
        track: Int,
        configuration codec: CodecConfiguration,
        utcOffset: MediaTime,
        arrival: MediaTime
    ) {
        state.withLock { state in
            state.inputBytes += sample.payload.readableBytes
            guard
                let slots = state.segmenter?.received(
                    sample,
                    track: track,
                    configuration: codec,
                    utcOffset: utcOffset,
                    arrival: configuration.isPaced ? arrival : nil
                )
            else { return }
            if !slots.isEmpty { publish(slots, &state) }
        }
        if !configuration.isPaced { followStoredMedia(input, utc: sample.presentationTime + utcOffset) }
    }
}

// MARK: - Stored feeds

extension Channel {
    /// Unpaced inputs are each other's clock: none runs far ahead, and what all have passed is waited for no longer.
    private func followStoredMedia(_ input: Int, utc: MediaTime) {
        let slotDuration = configuration.grid.slotDuration
        state.withLock { state in
            state.reached[input] = max(state.reached[input] ?? utc, utc)
            advance(&state, to: (state.slowestInput() ?? utc) - slotDuration * 2)
        }
        guard configuration.inputCount > 1 else { return }
        wakeInputs()
        wait { state in
            state.slowestInput(besides: input).map { utc <= $0 + slotDuration * 4 } ?? true
        }
    }

    /// Blocks a stored input's thread until it may go on.
    private func wait(until condition: @Sendable (borrowing State) -> Bool) {
        progress.lock()
        defer { progress.unlock() }
        while !state.withLock({ $0.isStopped || condition($0) }) { progress.wait() }
    }

    /// Lets inputs that wait look again; never called with ``state`` held.
    func wakeInputs() {
        guard configuration.inputCount > 1 else { return }
        progress.lock()
        progress.broadcast()
        progress.unlock()
    }
}

extension Channel.State {
    /// How far the input has come that is furthest behind; nil if all have ended.
    fileprivate borrowing func slowestInput(besides input: Int? = nil) -> MediaTime? {
        var slowest: MediaTime?
        for other in places.keys where other != input && !endedInputs.contains(other) {
            slowest = min(slowest ?? reached[other] ?? .zero, reached[other] ?? .zero)
        }
        return slowest
    }
}

extension InputTrack {
    fileprivate var isSupported: Bool {
        if case .unsupported = codec { false } else { true }
    }
}
