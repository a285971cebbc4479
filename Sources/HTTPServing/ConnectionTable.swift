/// Decides which connections may be open: how many in all, how many from one address, and which gives way to a new one.
///
/// A connection is idle while no whole request waits for its answer. When all places are taken, the connection that has
/// been idle for longest is closed. A polling viewer opens a new one. Clients that only hold connections, or never
/// finish a request, therefore block no one.
///
/// A connection is a stranger's until its client has authenticated, on listeners that require it. Strangers share the
/// places of their address, and give way even if they are not idle. Other connections count for no address, and give
/// way only if there is no stranger.
package struct ConnectionTable<Connection> {
    package struct Limits: Hashable, Sendable {
        package var total: Int
        package var perAddress: Int
        /// True if clients must authenticate, so that ``perAddress`` only applies to clients before that.
        package var requiresAuthentication = false

        package init(total: Int, perAddress: Int, requiresAuthentication: Bool = false) {
            self.total = total
            self.perAddress = perAddress
            self.requiresAuthentication = requiresAuthentication
        }

        /// The number of further connections that may be open, because a busy machine closes those that make room
        /// later than it accepts new ones; as many are accepted at once.
        package var leaving: Int { max(1, min(64, total / 16)) }
    }

    enum Admission {
        /// Admitted; the connection notes its activity there.
        case admitted(ID, ConnectionActivity)
        /// Admitted in the place of another connection, which the caller must close.
        case displaced(ID, ConnectionActivity, Connection, by: Limit)
        /// Every connection that might give way is being answered.
        case refused(by: Limit)
    }

    enum Limit: Hashable, Sendable {
        case total, address
    }

    /// A place, for as long as its connection has it.
    package struct ID: Hashable, Sendable {
        fileprivate var index: Int
        fileprivate var generation: Int
    }

    fileprivate struct Place {
        var connection: Connection?
        /// The index of the client's address in ``addresses``; nil if the client has authenticated.
        var address: Int?
        /// The index among the ``Address/members`` of the address.
        var memberIndex = 0
        var generation = 0
        var isStranger = false
        var activity: ConnectionActivity

        var mayGiveWay: Bool { connection != nil && (isStranger || !activity.isAsked) }
    }

    /// Connections; the oldest one gives way.
    fileprivate enum Group {
        case address(Int)
        /// Connections that count for an address.
        case counted
        /// Connections whose clients have authenticated.
        case known
    }

    /// A connection that may be closed, as it was when the search found it.
    fileprivate struct Candidate {
        var id: ID
        var idleSince: UInt64
    }

    private struct Address {
        var name = ""
        /// The indices of its connections.
        var members: [Int] = []
        /// Connections of the address that may be closed, as in ``candidates``.
        var candidates: [Candidate] = []
    }

    private(set) var limits: Limits
    package private(set) var count = 0
    private var places: [Place] = []
    private var free: [Int] = []
    private let clock = ConnectionActivity.Clock()
    /// The oldest that may give way, the very oldest last: all others became idle after them.
    private var candidates: [Candidate] = []
    /// The candidates among authenticated clients.
    private var knownCandidates: [Candidate] = []
    /// The indices of clients with connections, by name, and the records, some of them free.
    private var indices: [String: Int] = [:]
    private var addresses: [Address] = []
    private var freeAddresses: [Int] = []
    /// The number of places that searches have looked at, for tests.
    private(set) var searchedCount = 0

    init(limits: Limits) {
        self.limits = limits
    }

    /// Changes the limits.
    ///
    /// - Returns: Idle connections above the new limits, which the caller must close.
    mutating func limit(to limits: Limits) -> [Connection] {
        self.limits = limits
        var surplus: [Connection] = []
        while count > limits.total, let index = oldest(.counted) ?? oldest(.known), let connection = remove(index) {
            surplus.append(connection)
        }
        return surplus
    }

    /// Takes a new connection, which is idle before its first request.
    mutating func open(_ connection: Connection, from address: String) -> Admission {
        let limit: Limit
        let index: Int?
        if let own = indices[address], addresses[own].members.count >= limits.perAddress {
            (limit, index) = (.address, oldest(.address(own)))
        } else if count >= limits.total {
            (limit, index) = (.total, oldest(.counted) ?? oldest(.known))
        } else {
            let id = insert(connection, address)
            return .admitted(id, places[id.index].activity)
        }
        guard let index, let oldest = remove(index) else { return .refused(by: limit) }
        let id = insert(connection, address)
        return .displaced(id, places[id.index].activity, oldest, by: limit)
    }

    /// Notes that a connection's client has authenticated.
    mutating func recognized(_ id: ID) {
        guard isOpen(id), places[id.index].isStranger else { return }
        leaveAddress(id.index)
        places[id.index].isStranger = false
        if !places[id.index].activity.isAsked { places[id.index].activity.restart() }
    }

    /// Removes a closed connection, whose place may be another's already.
    mutating func closed(_ id: ID) {
        if isOpen(id) { _ = remove(id.index) }
    }

    private func isOpen(_ id: ID) -> Bool {
        places[id.index].generation == id.generation && places[id.index].connection != nil
    }

    private mutating func insert(_ connection: Connection, _ name: String) -> ID {
        let index = free.popLast() ?? places.count
        if index == places.count { places.append(Place(activity: ConnectionActivity(clock))) }
        let address = indices[name] ?? record(of: name)
        places[index].connection = connection
        places[index].address = address
        places[index].memberIndex = addresses[address].members.count
        places[index].isStranger = limits.requiresAuthentication
        places[index].activity = ConnectionActivity(clock)
        count += 1
        addresses[address].members.append(index)
        return ID(index: index, generation: places[index].generation)
    }

    private mutating func record(of name: String) -> Int {
        let address = freeAddresses.popLast() ?? addresses.count
        if address == addresses.count { addresses.append(Address()) }
        addresses[address].name = name
        indices[name] = address
        return address
    }

    private mutating func remove(_ index: Int) -> Connection? {
        leaveAddress(index)
        let connection = places[index].connection
        places[index].connection = nil
        places[index].generation += 1
        free.append(index)
        count -= 1
        return connection
    }

    private mutating func leaveAddress(_ index: Int) {
        guard let address = places[index].address else { return }
        places[index].address = nil
        // The last member takes the place of the one that leaves.
        let last = addresses[address].members.removeLast()
        if last != index {
            addresses[address].members[places[index].memberIndex] = last
            places[last].memberIndex = places[index].memberIndex
        }
        guard addresses[address].members.isEmpty else { return }
        indices[addresses[address].name] = nil
        addresses[address] = Address()
        freeAddresses.append(address)
    }

    // MARK: Who gives way

    /// The number of candidates that one look at all places yields at most.
    private static var candidateCount: Int { 64 }

    /// The connection of a group that has been idle for longest.
    ///
    /// Connections that were idle when all were looked at are older than those that became so since. So one look serves
    /// many that give way.
    private mutating func oldest(_ group: Group) -> Int? {
        while let candidate = self[group].popLast() {
            if isStill(candidate, in: group) { return candidate.id.index }
        }
        self[group] = candidates(of: group)
        return self[group].popLast()?.id.index
    }

    /// The oldest of a group that may give way, the very oldest last.
    private mutating func candidates(of group: Group) -> [Candidate] {
        var oldest: [Candidate] = []
        oldest.reserveCapacity(Self.candidateCount + 1)
        if case .address(let address) = group {
            for index in addresses[address].members { take(index, into: &oldest) }
            searchedCount += addresses[address].members.count
        } else {
            for index in places.indices where isMember(index, of: group) { take(index, into: &oldest) }
            searchedCount += places.count
        }
        return oldest.reversed()
    }

    /// Inserts a place into the oldest candidates, if it may give way and is one of them.
    private func take(_ index: Int, into oldest: inout [Candidate]) {
        let place = places[index]
        guard place.mayGiveWay else { return }
        let idleSince = place.activity.idleSince
        if oldest.count == Self.candidateCount, let youngest = oldest.last, youngest.idleSince <= idleSince { return }
        let position = (oldest.lastIndex { $0.idleSince < idleSince } ?? -1) + 1
        oldest.insert(Candidate(id: ID(index: index, generation: place.generation), idleSince: idleSince), at: position)
        if oldest.count > Self.candidateCount { oldest.removeLast() }
    }

    private func isStill(_ candidate: Candidate, in group: Group) -> Bool {
        let index = candidate.id.index
        return isOpen(candidate.id) && isMember(index, of: group) && places[index].mayGiveWay
            && places[index].activity.idleSince == candidate.idleSince
    }

    private func isMember(_ index: Int, of group: Group) -> Bool {
        switch group {
        case .address(let address): places[index].address == address
        case .counted: places[index].address != nil
        case .known: places[index].address == nil
        }
    }

    private subscript(group: Group) -> [Candidate] {
        get {
            switch group {
            case .address(let address): addresses[address].candidates
            case .counted: candidates
            case .known: knownCandidates
            }
        }
        set {
            switch group {
            case .address(let address): addresses[address].candidates = newValue
            case .counted: candidates = newValue
            case .known: knownCandidates = newValue
            }
        }
    }
}

extension ConnectionTable: Sendable where Connection: Sendable {}
extension ConnectionTable.Place: Sendable where Connection: Sendable {}
