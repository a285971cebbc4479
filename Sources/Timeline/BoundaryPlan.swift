package import MediaCore

/// The times in UTC at which the slots of a channel begin: the grid's edges, but for those that splices have moved.
///
/// Boundaries move, numbers do not: a splice takes over the edge that is nearest to it, unless another has or a segment
/// would become too short or too long. The plan follows from the grid and the set of splices, in any order of
/// arrival, so that every cutter on every machine has the same.
package struct BoundaryPlan: Hashable, Sendable {
    package let grid: SegmentGrid
    /// The times of splices, in UTC and in order, also of those without room; those of slots that are long past are
    /// forgotten.
    private var splices: [MediaTime] = []
    private var moved: [MediaSequenceNumber: MediaTime] = [:]

    /// The result of receiving a splice.
    package enum Reception: Hashable, Sendable {
        /// A slot begins with it.
        case planned(MediaSequenceNumber)
        /// A splice that came too late: so long after its own time, or after the edge that it would have moved.
        case late(by: MediaTime)
        /// Other splices have moved the edges around it.
        case crowded
    }

    /// The distance that two inputs may have the same splice apart.
    package static let inaccuracy = MediaTime(milliseconds: 100)

    /// - Parameter grid: The channel's grid.
    package init(grid: SegmentGrid) {
        self.grid = grid
    }

    /// The time at which a slot begins.
    package func start(of slot: MediaSequenceNumber) -> MediaTime { moved[slot] ?? grid.start(of: slot) }

    /// The slot that a point in UTC lies in.
    package func slot(at time: MediaTime) -> MediaSequenceNumber {
        let slot = grid.slot(at: time)
        if moved.isEmpty { return slot }
        return time < start(of: slot) ? slot.previous : time >= start(of: slot.next) ? slot.next : slot
    }

    /// The earliest that a slot's segment may begin: `D/2` before its edge, or half of what lies between it and the one
    /// before.
    package func earliestStart(of slot: MediaSequenceNumber) -> MediaTime {
        start(of: slot) - min(grid.tolerance, half(of: slot.previous))
    }

    /// The latest that a slot's segment may begin: `D/2` after its edge, or half of what lies between it and the next.
    package func latestStart(of slot: MediaSequenceNumber) -> MediaTime {
        start(of: slot) + min(grid.tolerance, half(of: slot))
    }

    /// The splice that a slot begins with; nil for one that begins on the grid.
    package func splice(startingWith slot: MediaSequenceNumber) -> MediaTime? { moved[slot] }

    /// The splices that slots begin with, from a slot on.
    package func splices(from slot: MediaSequenceNumber) -> [MediaTime] {
        if moved.isEmpty { return [] }
        return moved.filter { $0.key >= slot }.values.sorted()
    }

    /// Takes a splice into the plan.
    ///
    /// - Parameters:
    ///   - time: The time of the splice, in UTC.
    ///   - heard: The time that its feed had reached when it arrived, in UTC.
    /// - Returns: The result. A splice that another input has brought already is planned again.
    package mutating func add(splice time: MediaTime, heard: MediaTime) -> Reception {
        let same = moved.first { abs(($0.value - time).ticks) < Self.inaccuracy.ticks }
        if let same { return .planned(same.key) }
        // An edge that the feed has passed is cut.
        guard heard < time else { return .late(by: heard - time) }
        if splices.contains(where: { abs(($0 - time).ticks) < Self.inaccuracy.ticks }) { return .crowded }
        let before = (splices, moved)
        splices.append(time)
        splices.sort()
        moved = arranged()
        guard let slot = moved.first(where: { $0.value == time })?.key else { return .crowded }
        guard heard < grid.start(of: slot) else {
            (splices, moved) = before
            return .late(by: heard - grid.start(of: slot))
        }
        return .planned(slot)
    }

    /// Takes a splice out of the plan that its feed has withdrawn, unless its edge may be cut by now.
    ///
    /// - Parameters:
    ///   - time: The time of the splice, in UTC.
    ///   - heard: The time that its feed had reached when it was withdrawn, in UTC.
    /// - Returns: The slot that began with it; nil if none did, or does still.
    package mutating func remove(splice time: MediaTime, heard: MediaTime) -> MediaSequenceNumber? {
        guard let index = splices.firstIndex(where: { abs(($0 - time).ticks) < Self.inaccuracy.ticks }),
            heard < splices[index]
        else { return nil }
        let before = (splices, moved)
        let splice = splices.remove(at: index)
        // One that had no room beside it may have it now.
        moved = arranged()
        let changed = Set(before.1.keys).union(moved.keys).filter { before.1[$0] != moved[$0] }
        guard changed.allSatisfy({ heard < grid.start(of: $0) }) else {
            (splices, moved) = before
            return nil
        }
        return before.1.first { $0.value == splice }?.key
    }

    /// Forgets boundaries before a slot, which are not needed any more.
    package mutating func forget(before slot: MediaSequenceNumber) {
        let edge = start(of: slot)
        guard splices.first.map({ $0 < edge }) ?? false else { return }
        splices.removeAll { $0 < edge }
        moved = moved.filter { $0.key >= slot }
    }

    /// The earlier splice goes first.
    private func arranged() -> [MediaSequenceNumber: MediaTime] {
        var plan = BoundaryPlan(grid: grid)
        for splice in splices {
            let slot = grid.slot(at: splice + grid.tolerance)
            if plan.canMove(slot, to: splice) { plan.moved[slot] = splice }
        }
        return plan.moved
    }

    /// Returns true if a slot can begin there, and it and the one before it last long enough and not too long.
    private func canMove(_ slot: MediaSequenceNumber, to time: MediaTime) -> Bool {
        guard moved[slot] == nil else { return false }
        let shortest = MediaTime(ticks: grid.slotDuration.ticks / 4)
        return [time - start(of: slot.previous), start(of: slot.next) - time].allSatisfy {
            shortest <= $0 && $0 <= grid.longestSegment
        }
    }

    private func half(of slot: MediaSequenceNumber) -> MediaTime {
        if moved.isEmpty { return grid.tolerance }
        return MediaTime(ticks: (start(of: slot.next) - start(of: slot)).ticks / 2)
    }
}
