import Operations

/// An answer to a post, with a warning for all of it.
struct AcceptanceAnswer<Body: Encodable>: Encodable {
    var body: Body
    /// The warning for all of it.
    var warning: String?

    init(_ body: Body, _ acceptance: ScheduleAcceptance) {
        self.body = body
        warning = acceptance.unkept.map { "the post goes on air, but a restart would lose it: \($0)" }
    }

    private enum CodingKeys: CodingKey { case warning }

    func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        guard let warning else { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(warning, forKey: .warning)
    }
}
