/// Decides which connections there may be: how many in all, how many from one address, and which gives way to a new one.
///
/// A connection is idle while no whole request waits for its answer. When all places are taken, the one that has been idle
/// for longest goes: a viewer who polls comes back with a new connection, and whoever only holds connections, or sends a
/// request that does not end, holds nobody up.
///
/// Where clients have to show who they are, a connection is a stranger's until its client has. Strangers share the places
/// of their address, and give way whatever they do. The connections of the others count for no address, and one of them
/// gives way only where there is no stranger.
package struct ConnectionTable<Connection> {
    package struct Limits: Hashable, Sendable {
        package var total: Int
        package var perAddress: Int
        /// True if clients show who they are, so that ``perAddress`` applies to strangers only.
        package var knowsStrangers = false

        package init(total: Int, perAddress: Int, knowsStrangers: Bool = false) {
            self.total = total
            self.perAddress = perAddress
            self.knowsStrangers = knowsStrangers
        }

        /// So many more may be open, for a busy machine closes those that had to make room later than it accepts new ones;
        /// and so many are accepted at once.
        package var leaving: Int { max(1, min(64, total / 16)) }
    }

    enum Admission {
        case admitted(ID)
        /// Admitted in the place of another, which has to be closed.
        case displaced(ID, Connection, by: Limit)
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
        /// The index of the client's address in ``addresses``; nil where the client has shown who it is.
        var address: Int?
        var generation = 0
        var isStranger = false
        /// True if a request waits for its answer.
        var isAsked = false
        /// True if the place is in the lists of those that may give way.
        var isListed = false
        /// Neighbours in the order in which they give way.
        private var ofAll = Neighbours()
        private var ofAddress = Neighbours()

        init(generation: Int = 0) {
            self.generation = generation
        }

        subscript(list: List) -> Neighbours {
            get { list == .all ? ofAll : ofAddress }
            set { if list == .all { ofAll = newValue } else { ofAddress = newValue } }
        }
    }

    /// A list of places: all of them, or those of one address.
    fileprivate enum List {
        case all, address
    }

    fileprivate struct Neighbours {
        var older: Int?
        var newer: Int?
    }

    /// The ends of a list of places that may give way.
    private struct Ends {
        var oldest: Int?
        var newest: Int?
    }

    private struct Address {
        var name = ""
        var count = 0
        var idle = Ends()
    }

    private(set) var limits: Limits
    package private(set) var count = 0
    private var places: [Place] = []
    private var free: [Int] = []
    private var idle = Ends()
    /// The same for clients that have shown who they are.
    private var idleKnown = Ends()
    /// Those that have connections, by name, and their records, of which some are free.
    private var indices: [String: Int] = [:]
    private var addresses: [Address] = []
    private var freeAddresses: [Int] = []

    init(limits: Limits) {
        self.limits = limits
    }

    /// Changes how many there may be.
    ///
    /// - Returns: Idle ones that have to be closed, since there are more now than there may be.
    mutating func limit(to limits: Limits) -> [Connection] {
        self.limits = limits
        var surplus: [Connection] = []
        while count > limits.total, let index = idle.oldest ?? idleKnown.oldest, let connection = remove(index) {
            surplus.append(connection)
        }
        return surplus
    }

    /// A connection was opened; it is idle, since nothing has been asked of it yet.
    mutating func open(_ connection: Connection, from address: String) -> Admission {
        let own = indices[address].map { addresses[$0] } ?? Address()
        let limit: Limit
        if own.count >= limits.perAddress {
            limit = .address
        } else if count >= limits.total {
            limit = .total
        } else {
            return .admitted(insert(connection, address))
        }
        let index = limit == .address ? own.idle.oldest : idle.oldest ?? idleKnown.oldest
        guard let index, let oldest = remove(index) else { return .refused(by: limit) }
        return .displaced(insert(connection, address), oldest, by: limit)
    }

    /// Something is asked of it.
    mutating func began(_ id: ID) {
        guard isOpen(id) else { return }
        places[id.index].isAsked = true
        if places[id.index].isListed, !places[id.index].isStranger { unlink(id.index) }
    }

    /// Nothing is asked of it any more.
    mutating func becameIdle(_ id: ID) {
        guard isOpen(id) else { return }
        let wasAsked = places[id.index].isAsked
        places[id.index].isAsked = false
        if places[id.index].isListed {
            // A stranger that has got an answer is the youngest again.
            guard wasAsked else { return }
            unlink(id.index)
        }
        link(id.index)
    }

    /// Its client has shown who it is.
    mutating func recognized(_ id: ID) {
        guard isOpen(id), places[id.index].isStranger else { return }
        unlink(id.index)
        leaveAddress(id.index)
        places[id.index].isStranger = false
        if !places[id.index].isAsked { link(id.index) }
    }

    /// It was closed; its place may be another's already.
    mutating func closed(_ id: ID) {
        if isOpen(id) { _ = remove(id.index) }
    }

    private func isOpen(_ id: ID) -> Bool {
        places[id.index].generation == id.generation && places[id.index].connection != nil
    }

    private mutating func insert(_ connection: Connection, _ name: String) -> ID {
        let index = free.popLast() ?? places.count
        if index == places.count { places.append(Place()) }
        let address = indices[name] ?? record(of: name)
        places[index].connection = connection
        places[index].address = address
        places[index].isStranger = limits.knowsStrangers
        count += 1
        addresses[address].count += 1
        link(index)
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
        if places[index].isListed { unlink(index) }
        leaveAddress(index)
        let connection = places[index].connection
        places[index] = Place(generation: places[index].generation + 1)
        free.append(index)
        count -= 1
        return connection
    }

    private mutating func leaveAddress(_ index: Int) {
        guard let address = places[index].address else { return }
        places[index].address = nil
        addresses[address].count -= 1
        guard addresses[address].count == 0 else { return }
        indices[addresses[address].name] = nil
        addresses[address] = Address()
        freeAddresses.append(address)
    }

    private mutating func link(_ index: Int) {
        places[index].isListed = true
        guard let address = places[index].address else { return Self.append(index, to: &idleKnown, of: &places, .all) }
        Self.append(index, to: &idle, of: &places, .all)
        Self.append(index, to: &addresses[address].idle, of: &places, .address)
    }

    private mutating func unlink(_ index: Int) {
        places[index].isListed = false
        guard let address = places[index].address else { return Self.take(index, from: &idleKnown, of: &places, .all) }
        Self.take(index, from: &idle, of: &places, .all)
        Self.take(index, from: &addresses[address].idle, of: &places, .address)
    }

    private static func append(_ index: Int, to ends: inout Ends, of places: inout [Place], _ list: List) {
        places[index][list].older = ends.newest
        if let newest = ends.newest { places[newest][list].newer = index } else { ends.oldest = index }
        ends.newest = index
    }

    private static func take(_ index: Int, from ends: inout Ends, of places: inout [Place], _ list: List) {
        let (older, newer) = (places[index][list].older, places[index][list].newer)
        if let older { places[older][list].newer = newer } else { ends.oldest = newer }
        if let newer { places[newer][list].older = older } else { ends.newest = older }
        places[index][list] = Neighbours()
    }
}

extension ConnectionTable: Sendable where Connection: Sendable {}
extension ConnectionTable.Place: Sendable where Connection: Sendable {}
