import MediaCore

/// The choices of inputs that operators have made, by position.
struct InputChoices: Sendable {
    /// The inputs that hold their positions.
    private var held: [InputPosition: InputID] = [:]
    /// The clients of the control API that have chosen last.
    private var clients: [InputPosition: String] = [:]
    /// The positions whose choice was made of a channel before this one.
    private var kept: Set<InputPosition> = []

    /// The inputs that hold their positions, in order.
    var heldInputs: [InputID] { held.values.sorted() }

    /// Returns the input that holds a position; nil for none.
    func held(at position: InputPosition) -> InputID? { held[position] }

    /// Returns true if an input holds its position.
    func isHeld(_ input: InputID) -> Bool { held[input.position] == input }

    /// Takes the choice of an input.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - holds: True if it stays until the operator decides otherwise.
    ///   - client: The client of the control API; nil if unknown.
    mutating func select(_ input: InputID, holds: Bool, by client: String?) {
        held[input.position] = holds ? input : nil
        clients[input.position] = client
        kept.remove(input.position)
    }

    /// Takes over the choice of an input that an operator holds since the time of another channel.
    mutating func keep(_ input: InputID) {
        select(input, holds: true, by: nil)
        kept.insert(input.position)
    }

    /// Leaves all positions to the channel.
    mutating func selectAutomatically() { (held, kept) = ([:], []) }

    /// Returns the sentence that names the client that has chosen an input.
    func sentence(on input: InputID, holds: Bool) -> String {
        if kept.contains(input.position) {
            return "Held by an operator since before the channel was changed or handed over."
        }
        return "Chosen \(Self.author(clients[input.position]))\(holds ? ", and held" : "")."
    }

    /// Returns the words that name a client that has chosen.
    static func author(_ client: String?) -> String {
        "\(client.map { "by \($0) " } ?? "")through the control API"
    }
}
