import MediaCore

/// Faults that are done to packets and datagrams between encoder and packager.
struct TransportFaults: Sendable {
    private let schedule: FeedSchedule
    /// The random generators, one for each of the schedule's faults, so that they do not depend on each other.
    private var chances: [SplitMix64]
    /// The datagrams that are overtaken, and the number of others to wait for.
    private var overtaken: [(datagrams: [Datagram], remaining: Int)] = []

    init(_ schedule: FeedSchedule, seed: UInt64) {
        self.schedule = schedule
        var source = SplitMix64(seed: seed)
        chances = schedule.faults.map { _ in SplitMix64(seed: source.next()) }
    }

    /// Returns true if a packet gets into its datagram.
    mutating func passes(_ packet: TimedPacket) -> Bool {
        happens(at: packet.time) { if case .loss(let rate, of: .packets) = $0 { rate } else { nil } } == nil
    }

    /// Returns the datagrams that arrive because one was sent: itself, once or twice or not at all, and those that it
    /// has overtaken.
    mutating func arrivals(of datagram: Datagram) -> [Datagram] {
        let time = datagram.time
        var arrivals = [datagram]
        if schedule.active(at: time, { $0 == .packetsStop ? $0 : nil }).first != nil { return [] }
        if happens(at: time, { if case .loss(let rate, of: .datagrams) = $0 { rate } else { nil } }) != nil {
            return []
        }
        if happens(at: time, { if case .duplication(let rate) = $0 { rate } else { nil } }) != nil {
            arrivals.append(datagram)
        }
        for index in overtaken.indices { overtaken[index].remaining -= 1 }
        let late = overtaken.filter { $0.remaining == 0 }.flatMap(\.datagrams)
        overtaken.removeAll { $0.remaining == 0 }
        let reordering = happens(at: time) { if case .reordering(let rate, _) = $0 { rate } else { nil } }
        if case .reordering(_, let distance)? = reordering {
            overtaken.append((arrivals, distance))
            arrivals = []
        }
        return (arrivals + late).map { Datagram(time: arrivalTime(of: time), bytes: $0.bytes) }
    }

    /// The time when a datagram that is sent at `time` arrives: at once, or when everything has been held back for long
    /// enough.
    func arrivalTime(of time: MediaTime) -> MediaTime {
        schedule.faults.filter { $0.fault == .stall && $0.isActive(at: time) }.compactMap(\.end).max() ?? time
    }

    /// The first of the active faults that happens now, by chance and at the rate that `rate` finds in it.
    private mutating func happens(at time: MediaTime, _ rate: (Fault) -> Double?) -> Fault? {
        var happening: Fault?
        for (index, scheduled) in schedule.faults.enumerated() where scheduled.isActive(at: time) {
            guard let rate = rate(scheduled.fault) else { continue }
            if chances[index].happens(rate) { happening = happening ?? scheduled.fault }
        }
        return happening
    }
}
