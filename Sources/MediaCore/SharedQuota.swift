/// Shares a limited room among clients, of which each may have half at most.
///
/// One client, or one that seems to be many, then cannot take all of it from the others.
package struct SharedQuota: Sendable {
    /// The whole room, in the unit of the owner: requests, or bytes.
    package let limit: Int
    /// The room that is taken.
    package private(set) var taken = 0
    private var ofClients: [Int: Int] = [:]

    /// - Parameter limit: The whole room; `Int.max` for no limit.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The room that one client may have: half of the whole, rounded up.
    package var share: Int { limit - limit / 2 }

    /// Takes room for a client.
    ///
    /// - Parameters:
    ///   - amount: The room, not below 0.
    ///   - client: Tells the network of the client from others.
    /// - Returns: False if there is not as much left, or not for this client; then nothing changes.
    package mutating func take(_ amount: Int = 1, for client: Int) -> Bool {
        let own = ofClients[client, default: 0]
        guard amount <= min(limit - taken, share - own) else { return false }
        set(own + amount, for: client)
        taken += amount
        return true
    }

    /// Gives back room that the client took before.
    package mutating func giveBack(_ amount: Int = 1, of client: Int) {
        set(ofClients[client, default: 0] - amount, for: client)
        taken -= amount
    }

    /// The number of clients that have room, and are remembered for it.
    package var clientCount: Int { ofClients.count }

    private mutating func set(_ amount: Int, for client: Int) {
        ofClients[client] = amount > 0 ? amount : nil
    }
}
