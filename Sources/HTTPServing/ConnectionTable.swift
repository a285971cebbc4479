/// Decides which connections there may be: how many in all, how many from one address, and which gives way to a new one.
///
/// A connection is idle while nothing is asked of it. When all places are taken, the one that has been idle for longest
/// goes: a viewer who polls comes back with a new connection, and whoever only holds connections holds nobody up.
package struct ConnectionTable<Connection> {
    package struct Limits: Hashable, Sendable {
        package var total: Int
        package var perAddress: Int

        package init(total: Int, perAddress: Int) {
            self.total = total
            self.perAddress = perAddress
        }
    }

    package enum Admission {
        case admitted(ID)
        /// Admitted in the place of another, which has to be closed.
        case displaced(ID, Connection, by: Limit)
        /// Every connection that might give way is being answered.
        case refused(by: Limit)
    }

    package enum Limit: Hashable, Sendable {
        case total, address
    }

    /// A place, for as long as its connection has it.
    package struct ID: Hashable, Sendable {
        fileprivate var index: Int
        fileprivate var generation: Int
    }

    fileprivate struct Place {
        var connection: Connection?
        var address = ""
        var generation = 0
        var isIdle = false
        /// Neighbours in the order of idleness.
        var older: Int?
        var newer: Int?
    }

    package let limits: Limits
    package private(set) var count = 0
    private var places: [Place] = []
    private var free: [Int] = []
    private var counts: [String: Int] = [:]
    private var oldestIdle: Int?
    private var newestIdle: Int?

    package init(limits: Limits) {
        self.limits = limits
    }

    /// A connection was opened; it is idle, since nothing has been asked of it yet.
    package mutating func open(_ connection: Connection, from address: String) -> Admission {
        let limit: Limit
        if counts[address, default: 0] >= limits.perAddress {
            limit = .address
        } else if count >= limits.total {
            limit = .total
        } else {
            return .admitted(insert(connection, address))
        }
        guard let index = limit == .address ? oldestIdle(of: address) : oldestIdle, let oldest = remove(index) else {
            return .refused(by: limit)
        }
        return .displaced(insert(connection, address), oldest, by: limit)
    }

    /// Something is asked of it.
    package mutating func began(_ id: ID) {
        guard isOpen(id), places[id.index].isIdle else { return }
        unlink(id.index)
    }

    /// Nothing is asked of it any more.
    package mutating func becameIdle(_ id: ID) {
        guard isOpen(id), !places[id.index].isIdle else { return }
        link(id.index)
    }

    /// It was closed; its place may be another's already.
    package mutating func closed(_ id: ID) {
        if isOpen(id) { _ = remove(id.index) }
    }

    private func isOpen(_ id: ID) -> Bool {
        places[id.index].generation == id.generation && places[id.index].connection != nil
    }

    /// Walks the idle ones, which is done only for an address that has all its connections.
    private func oldestIdle(of address: String) -> Int? {
        var next = oldestIdle
        while let index = next, places[index].address != address { next = places[index].newer }
        return next
    }

    private mutating func insert(_ connection: Connection, _ address: String) -> ID {
        let index = free.popLast() ?? places.count
        if index == places.count { places.append(Place()) }
        places[index].connection = connection
        places[index].address = address
        count += 1
        counts[address, default: 0] += 1
        link(index)
        return ID(index: index, generation: places[index].generation)
    }

    private mutating func remove(_ index: Int) -> Connection? {
        if places[index].isIdle { unlink(index) }
        let place = places[index]
        places[index] = Place(generation: place.generation + 1)
        free.append(index)
        count -= 1
        let rest = (counts[place.address] ?? 1) - 1
        counts[place.address] = rest > 0 ? rest : nil
        return place.connection
    }

    private mutating func link(_ index: Int) {
        places[index].isIdle = true
        places[index].older = newestIdle
        if let newestIdle { places[newestIdle].newer = index } else { oldestIdle = index }
        newestIdle = index
    }

    private mutating func unlink(_ index: Int) {
        let (older, newer) = (places[index].older, places[index].newer)
        if let older { places[older].newer = newer } else { oldestIdle = newer }
        if let newer { places[newer].older = older } else { newestIdle = older }
        places[index].isIdle = false
        places[index].older = nil
        places[index].newer = nil
    }
}

extension ConnectionTable: Sendable where Connection: Sendable {}
extension ConnectionTable.Place: Sendable where Connection: Sendable {}
