import MediaCore

/// Tells the senders whose datagrams are taken from the others, and names them.
struct SenderFilter {
    /// Lists of allowed senders; each list that is not empty must have a sender.
    private let admitted: [[AddressRange]]
    private let blocked: [AddressRange]
    /// The names of senders that were seen before; nil for those that are not admitted.
    private var known: [SocketEndpoint: String?] = [:]
    /// The sender of the last datagram: most come from one.
    private var last: (sender: SocketEndpoint, name: String?)?

    /// The most senders that are remembered, so that invented ones cost no memory.
    private static let mostKnown = 64

    init(admitting lists: [[AddressRange]], but blocked: [AddressRange]) {
        admitted = lists.filter { !$0.isEmpty }
        self.blocked = blocked
    }

    /// Returns the sender's address and port as text; nil if it is not allowed.
    mutating func name(ofAdmitted sender: SocketEndpoint) -> String? {
        if let last, last.sender == sender { return last.name }
        let name = known[sender] ?? look(at: sender)
        last = (sender, name)
        return name
    }

    private mutating func look(at sender: SocketEndpoint) -> String? {
        let host = sender.host
        let isAdmitted = admitted.allSatisfy { list in list.contains { $0.contains(host) } }
        let name = isAdmitted && !blocked.contains { $0.contains(host) } ? sender.description : nil
        if known.count == Self.mostKnown { known = [:] }
        known[sender] = .some(name)
        return name
    }
}
