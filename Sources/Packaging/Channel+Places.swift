import Logging
import MediaCore
import Playlists
package import Presentation
import Synchronization
import Timeline

/// Which track of which input goes where.
extension Channel {
    /// All inputs are open, or enough waited for: the channel's tracks are those that are there now.
    func start(_ state: inout State) {
        guard !state.opened.isEmpty else { return }
        state.hasStarted = true
        for (input, tracks) in state.opened.sorted(by: { $0.key < $1.key }) { _ = claim(tracks, of: input, &state) }
        carrySound(&state)
        // Of inputs that are not there, too, it is only known now.
        for position in Set(state.plans.map(\.position)) { announceSources(at: position, &state) }
        for input in configuration.inputs where input.rank == 0 && state.opened[input] == nil {
            report("it did not open in time: the channel starts without it", input: input)
        }
        dropForsaken(&state)
    }

    /// In transport streams one picture and one sound share their segments, which is what the oldest players expect.
    private func carrySound(_ state: inout State) {
        guard configuration.carriage.format == .transportStream else { return }
        let plans = state.plans
        let videos = plans.indices.filter { plans[$0].kind == .video }
        let renditions = state.renditions
        let sounds = plans.indices.filter { plans[$0].kind == .audio && renditions[$0] == nil }
        guard videos.count == 1, let video = videos.first, let sound = sounds.first else { return }
        // What an earlier run, or a twin, has published goes on as it was.
        let published = state.restored[video]?.description.codecs.count
        let hasOne = plans.count { $0.kind == .audio } == 1
        guard published.map({ $0 > 1 }) ?? hasOne else { return }
        state.plans[sound].carrier = video
    }

    /// Where an input's tracks are in the channel; nil as long as the channel has none.
    func places(for tracks: [InputTrack], of input: InputID) -> [(track: InputTrack, place: Int)]? {
        state.withLock { state in
            guard state.hasStarted else { return nil }
            return claim(tracks, of: input, &state)
        }
    }

    /// Finds the places of an input's tracks, and makes those that are missing where it may say what the channel has.
    private func claim(
        _ tracks: [InputTrack],
        of input: InputID,
        _ state: inout State
    ) -> [(track: InputTrack, place: Int)] {
        let carriage = configuration.carriage
        var rest = tracks.filter { carriage.verdict(on: $0).isCarried }
        var free = state.positions[input.position] ?? []
        let before = state.places[input]
        let mayAdd = state.mayAdd(input)
        var claimed: [(track: InputTrack, place: Int)] = []
        // A track goes on as what it was. A reopened container may number and order its tracks differently: the language
        // tells them apart then; where it says nothing, or something else of the same track, the codec does.
        for match in Match.allCases {
            rest.removeAll { track in
                let place = free.first { place in
                    let plan = state.plans[place]
                    guard plan.kind == track.kind, plan.inputCodec.map({ $0 == track.codec }) ?? true else {
                        return false
                    }
                    let isSame = before?[track.index] == place
                    return switch match {
                    case .trackAndLanguage: isSame && plan.inputLanguage == track.language
                    case .language: plan.inputLanguage == track.language
                    case .codec: isSame || plan.inputLanguage == nil || track.language == nil
                    }
                }
                guard let place else { return false }
                free.removeAll { $0 == place }
                state.left.remove(place)
                claimed.append((track, place))
                return true
            }
        }
        // What is the sound of another rung is neither added nor missed.
        let isRung = tracks.contains { $0.kind == .video }
        for track in rest {
            if isRung, isHeard(RenditionPlan(track), besides: input.position, state) {
                if state.said[input, default: []].insert("\(track.label) is heard").inserted {
                    logger.info("sound of another rung", metadata: ["input": "\(input)", "left out": "\(track.label)"])
                }
                continue
            }
            if mayAdd {
                claimed.append((track, add(track, of: tracks, at: input.position, &state)))
            } else if state.said[input, default: []].insert("\(track.label) \(track.codec)").inserted {
                report("it is not used for \(track.label): \(mismatch(of: track, free, state))", input: input)
            }
        }
        for place in free where before == nil {
            report("it has nothing that could fill \(state.plans[place].label)", input: input)
        }
        state.places[input] = Dictionary(claimed.map { ($0.track.index, $0.place) }) { first, _ in first }
        if state.hasStarted { announceSources(at: input.position, &state) }
        if let before { noteTracks(of: input, claimed, before: Set(before.values), state) }
        return claimed.sorted { $0.track.index < $1.track.index }
    }

    /// How a track and a place are told to belong together.
    private enum Match: CaseIterable {
        case trackAndLanguage, language, codec
    }

    private func mismatch(of track: InputTrack, _ free: [Int], _ state: borrowing State) -> String {
        let plans = state.plans
        let alike = free.map { plans[$0] }.filter { $0.kind == track.kind }
        guard !alike.isEmpty else { return "the input that it stands by for has no such track, or no more of them" }
        let languages = alike.map { $0.inputLanguage ?? "none" }.joined(separator: ", ")
        return "its language is \(track.language ?? "none"), and what it could stand by for has \(languages)"
    }

    /// Whether another input has brought the same sound, or an earlier one has in an earlier run.
    private func isHeard(_ plan: RenditionPlan, besides position: Int, _ state: borrowing State) -> Bool {
        let taken = state.positions.filter { $0.key != position }.values.joined()
        let plans = state.plans
        let vacant = state.vacant
        return plans.indices.contains { place in
            !vacant.contains(place) && plans[place].isSameSound(as: plan)
                && (plans[place].position < position || taken.contains(place))
        }
    }

    /// Makes a place, or takes one that an earlier run has left.
    ///
    /// - Parameters:
    ///   - track: What is to have it.
    ///   - tracks: All tracks of its input, carried or not.
    ///   - position: The input's.
    ///   - state: The channel's.
    /// - Returns: The place.
    private func add(_ track: InputTrack, of tracks: [InputTrack], at position: Int, _ state: inout State) -> Int {
        // Attributes are counted by the tracks of the feeds; what is made of one has the same.
        let sounds = tracks.filter { $0.kind == .audio && $0.transcodedFrom == nil }
        state.soundCounts[position] = max(state.soundCounts[position] ?? 0, sounds.count)
        let earlier = state.soundCounts.reduce(0) { $0 + ($1.key < position ? $1.value : 0) }
        let place = earlier + sounds.count { $0.index < track.transcodedFrom ?? track.index }
        let attributes = track.kind == .audio && place < configuration.audio.count ? configuration.audio[place] : nil
        var plan = RenditionPlan(track, attributes: attributes ?? AudioAttributes())
        if case .carried(let format, _) = configuration.carriage.verdict(on: track) { plan.format = format }
        if track.kind == .video { plan.captions = configuration.captions }
        return add(plan, of: track, at: position, &state)
    }

    private func add(_ plan: RenditionPlan, of track: InputTrack, at position: Int, _ state: inout State) -> Int {
        let left = state.restored.filter {
            let description = $0.value.description
            return !$0.value.isClaimed && description.kind == plan.kind && description.input == position
                && description.format == plan.format && track.codec.isNamed(by: description.codecs.first ?? "")
        }
        let same = left.filter { $0.value.description.language == plan.language }
        let place: Int
        if let restored = same.keys.min() ?? left.keys.min() {
            place = restored
            state.restored[place]?.isClaimed = true
            state.plans[place].takeOver(plan)
            state.mustDeclare = true
        } else if let vacant = state.vacantPlace(for: plan, at: position) {
            place = vacant
            state.left.remove(place)
            state.plans[place] = plan
        } else {
            place = add(plan, sourceCount: configuration.sourceCount(of: position), &state)
        }
        state.plans[place].position = position
        if state.positions[position]?.contains(place) != true { state.positions[position, default: []].append(place) }
        // What an operator has said of an input goes for all of it.
        if let held = state.held[position] { state.segmenter.select(source: held.rank, track: place, holds: true) }
        return place
    }

    private func add(_ plan: RenditionPlan, sourceCount: Int, _ state: inout State) -> Int {
        state.plans.append(plan)
        state.packagers.append(nil)
        state.renditions.append(nil)
        state.onAir.append(.nothing)
        placeCount.add(1, ordering: .relaxed)
        return state.segmenter.addTrack(plan.kind, sourceCount: sourceCount)
    }

    /// Goes on with what an earlier run, or a peer, has published and the presentation lists again.
    ///
    /// To be called before any input is read.
    package func resume(_ window: SavedWindow) {
        guard let newest = window.lastNumber else { return }
        state.withLock { begin(after: window, &$0) }
        note(.restored, "The window up to slot \(newest) was taken over.", slot: newest)
    }

    func begin(after window: SavedWindow, _ state: inout State) {
        guard let newest = window.lastNumber else { return }
        let sourceCount = (0..<configuration.inputCount).map(configuration.sourceCount).max() ?? 1
        var ends: [SegmentEnd] = []
        var codecs: [String?] = []
        for description in window.renditions {
            // What does not lie where the slot does is nothing to go on from, whoever wrote it.
            guard let edge = window.edge(of: description.id),
                abs((edge.start - configuration.grid.start(of: newest)).ticks)
                    <= configuration.grid.longestSegment.ticks
            else { continue }
            let place = add(RenditionPlan(description), sourceCount: sourceCount, &state)
            state.renditions[place] = description.id
            state.restored[place] = RestoredRendition(
                description: description,
                fingerprint: edge.fingerprint
            )
            ends.append(SegmentEnd(edge))
            codecs.append(description.codecs.first)
        }
        state.segmenter.resume(after: newest, ends: ends, codecs: codecs)
        state.restoreSelection(window)
    }
}

extension Channel.State {
    /// Goes on with the choice of inputs where an earlier run, or a peer, has left off.
    ///
    /// - Parameter window: Of renditions that have their places; to be called again where the peer's has grown.
    mutating func restoreSelection(_ window: SavedWindow) {
        for (place, id) in renditions.enumerated() {
            guard let selection = id.flatMap({ window.edge(of: $0)?.selection }) else { continue }
            segmenter.restore(selection, track: place)
        }
    }
}

extension SegmentEnd {
    /// Where an earlier run, or a peer, broke off; its media timeline is UTC.
    fileprivate init(_ edge: SavedWindow.Edge) {
        let timescale = edge.duration.timescale
        let end = MediaTime(edge.exactEnd, timescale: timescale)
        self.init(Boundary(media: end, utcOffset: .zero), timescale: timescale)
        isGap = edge.isGap || edge.filler != nil
    }
}

extension Channel.State {
    /// What comes back is where it was, and so leads, or does not, as it does for a peer that was there all the time.
    fileprivate borrowing func vacantPlace(for plan: RenditionPlan, at position: Int) -> Int? {
        let plans = plans
        return vacant.filter { plans[$0].kind == plan.kind && plans[$0].position == position }.min()
    }

    /// Whether an input may say what the channel has: a backup may while no better one is there to say it.
    fileprivate borrowing func mayAdd(_ input: InputID) -> Bool {
        let connected = connected
        return positions[input.position] == nil
            || !connected.contains { $0.position == input.position && $0.rank < input.rank }
    }
}

extension InputTrack {
    var label: String {
        "\(kind) track \(index)" + (language.map { " (\($0))" } ?? "")
    }
}

extension RenditionPlan {
    var label: String {
        "\(kind)" + (language.map { " (\($0))" } ?? "")
    }
}
