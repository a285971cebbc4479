package import MediaCore

/// The clocks of a channel's live inputs that are placed by their arrival.
///
/// Rungs of one encoder count the same clock: their timestamps give their exact distances, which their arrival does
/// not. So inputs whose readings agree within a second share one clock, and with it one anchor and one UTC offset. Any
/// input may lead it, for every packet may show that the clock is wrong. An input whose timestamps jump founds a new
/// clock, and those that jump after it join that.
package struct ArrivalClocks: Sendable {
    /// The identity of a clock, for as long as it is used.
    package struct ID: Hashable, Sendable {
        fileprivate let value: Int
    }

    /// A clock as timestamps show it together with an arrival.
    struct Reading {
        /// UTC minus timestamp.
        var offset: MediaTime
        /// The number of ticks after which timestamps wrap.
        var modulus: Int64?
        /// UTC minus media time of the input, which stays if it begins a new clock.
        var utcOffset: MediaTime
    }

    /// Readings that are further apart are of different clocks.
    private static let tolerance = MediaTime(seconds: 1)

    private var clocks: [ID: ArrivalClock] = [:]
    /// Clocks that have turned out to be another one.
    private var successors: [ID: ID] = [:]
    private var count = 0

    package init() {}

    // MARK: Which clock

    /// An input has just begun and its burst is over.
    ///
    /// - Returns: Its clock, how far its own reading was from that, and the other inputs that share it; without others
    ///   it has founded one.
    mutating func joined(
        _ reading: Reading,
        input: InputPosition
    ) -> (clock: ID, distance: MediaTime, others: Set<InputPosition>) {
        retain([], of: input)
        let (clock, distance) = place(reading, input: input, besides: nil)
        return (clock, distance, (clocks[clock]?.inputs ?? []).subtracting([input]))
    }

    /// The timestamps of a track have jumped.
    ///
    /// - Parameters:
    ///   - reading: The reading of the first packet after the jump.
    ///   - input: The track's.
    ///   - old: The clock that it leaves.
    /// - Returns: The clock that it counts now, and whether that is new.
    mutating func jumped(_ reading: Reading, input: InputPosition, from old: ID?) -> (clock: ID, isNew: Bool) {
        let before = count
        let (clock, _) = place(reading, input: input, besides: old.map(resolve))
        return (clock, count > before)
    }

    /// Releases the clocks that an input no longer counts.
    mutating func retain(_ ids: Set<ID>, of input: InputPosition) {
        let kept = Set(ids.map(resolve))
        for id in clocks.keys where !kept.contains(id) && clocks[id]?.inputs.remove(input) != nil {
            clocks[id]?.judge.forget(input: input)
            guard clocks[id]?.inputs.isEmpty == true else { continue }
            clocks[id] = nil
        }
        let (living, all) = (clocks.keys, self)
        successors = successors.filter { living.contains(all.resolve($0.key)) }
    }

    private mutating func place(_ reading: Reading, input: InputPosition, besides old: ID?) -> (ID, MediaTime) {
        if let (near, distance) = nearest(to: reading.offset, modulus: reading.modulus, besides: old) {
            clocks[near]?.inputs.insert(input)
            return (near, distance)
        }
        let id = ID(value: count)
        count += 1
        clocks[id] = ArrivalClock(
            anchor: reading.offset - reading.utcOffset,
            utcOffset: reading.utcOffset,
            modulus: reading.modulus,
            inputs: [input]
        )
        return (id, .zero)
    }

    private func nearest(to offset: MediaTime, modulus: Int64?, besides old: ID?) -> (ID, MediaTime)? {
        let distances = clocks.filter { $0.key != old }.compactMapValues { $0.distance(to: offset, modulus: modulus) }
        let near = distances.filter { abs($0.value.ticks) < Self.tolerance.ticks }
        return near.min { (abs($0.value.ticks), $0.key.value) < (abs($1.value.ticks), $1.key.value) }
            .map { ($0.key, $0.value) }
    }

    private func resolve(_ id: ID) -> ID {
        var id = id
        while let next = successors[id] { id = next }
        return id
    }

    // MARK: Mappings

    /// Returns the place of a clock's timestamps.
    ///
    /// - Parameters:
    ///   - id: The clock; replaced if it has turned out to be another one.
    ///   - near: The former anchor, or an approximate one.
    /// - Returns: Media time minus timestamp, and UTC minus media time; nil if the clock is no longer used.
    func mapping(of id: inout ID, near: MediaTime) -> (anchor: MediaTime, utcOffset: MediaTime)? {
        id = resolve(id)
        return clocks[id].map { ($0.anchor(near: near), $0.utcOffset) }
    }

    /// Returns the usual delay of a track behind the earliest.
    func usualLag(of source: LagJudge.Source, on id: ID) -> MediaTime {
        clocks[resolve(id)]?.judge.usualLag(of: source) ?? .zero
    }

    /// The inputs that share a clock with one, itself included; empty if it has none.
    package func inputs(sharingWith input: InputPosition) -> Set<InputPosition> {
        clocks.values.filter { $0.inputs.contains(input) }.reduce(into: []) { $0.formUnion($1.inputs) }
    }

    /// All inputs that have a clock.
    var inputs: Set<InputPosition> { clocks.values.reduce(into: []) { $0.formUnion($1.inputs) } }

    // MARK: Corrections

    /// A packet came so much after its UTC.
    ///
    /// - Returns: The correction of its clock.
    mutating func observe(
        _ lag: MediaTime,
        of source: LagJudge.Source,
        on id: ID,
        at arrival: MediaTime
    ) -> LagJudge.Verdict {
        let id = resolve(id)
        guard let place = clocks.index(forKey: id) else { return .leave }
        let verdict = clocks.values[place].judge.observe(lag, of: source, at: arrival)
        switch verdict {
        case .leave: break
        case .slew(let amount): clocks.values[place].utcOffset += amount
        case .reanchor(let amount): move(id, by: amount)
        }
        return verdict
    }

    /// Moves a clock in UTC at once, with all inputs that share it; if it then agrees with another one, the two are
    /// one.
    mutating func move(_ id: ID, by amount: MediaTime) {
        let id = resolve(id)
        guard let clock = clocks[id] else { return }
        let offset = clock.anchor + clock.utcOffset + amount
        if let (other, _) = nearest(to: offset, modulus: clock.modulus, besides: id) {
            clocks[other]?.inputs.formUnion(clock.inputs)
            clocks[id] = nil
            successors[id] = other
        } else {
            clocks[id]?.anchor += amount
            clocks[id]?.judge.restart()
        }
    }
}
