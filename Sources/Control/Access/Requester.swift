import NIOHTTP1

/// The client of a request to the control API.
package struct Requester: Hashable, Sendable, CustomStringConvertible {
    /// The name of its token or certificate; nil if neither is required.
    package var name: String?
    /// The address of its peer; nil if the connection has none.
    package var address: String?
    package var role: ControlRole

    package init(name: String? = nil, address: String? = nil, role: ControlRole) {
        (self.name, self.address, self.role) = (name, address, role)
    }

    package var who: String { name ?? "a client without a token" }
    package var from: String { address ?? "an unknown address" }

    package var description: String { "\(who) at \(from)" }

    /// Refuses a request that needs more rights.
    ///
    /// - Throws: An answer that names the role.
    func check(_ needed: ControlRole) throws(Refusal) {
        guard role < needed else { return }
        guard let name else {
            let problem =
                "without control-tokens only clients on this machine may do this; set control-tokens, with which it "
                + "needs the role \(needed.rawValue)"
            throw Refusal(.forbidden, [problem])
        }
        let problem = "this needs the role \(needed.rawValue), but \(name) has the role \(role.rawValue)"
        throw Refusal(
            .forbidden,
            [problem],
            fields: ["WWW-Authenticate": ControlAccess.challenge("insufficient_scope", problem)]
        )
    }
}
