package import NIOCore

/// An operator's command to a channel's input selection.
package enum SelectionCommand: Hashable, Sendable {
    case select(input: String, hold: Bool)
    case automatic

    /// Reads `{"input": NAME, "hold": BOOL}`, without hold unless it says so, or `{"mode": "automatic"}`.
    ///
    /// - Parameters:
    ///   - json: The body of a request.
    ///   - inputs: The names of the channel's inputs.
    /// - Throws: ``MalformedRequest`` with all problems.
    package init(json: ByteBuffer, inputs: [String]) throws(MalformedRequest) {
        var fields = try CommandFields(json: json)
        if let mode = fields.take("mode") {
            if mode != .string("automatic") { fields.refuse("\"mode\" must be \"automatic\"") }
            if [fields.take("input"), fields.take("hold")] != [nil, nil] {
                fields.refuse("\"mode\" does not go together with \"input\" or \"hold\"")
            }
            self = .automatic
        } else {
            let input = fields.takeInput(among: inputs)
            self = .select(input: input ?? "", hold: fields.takeFlag("hold") ?? false)
        }
        fields.refuseOthers(known: "input, hold, mode")
        try fields.check()
    }
}

extension CommandFields {
    fileprivate mutating func takeInput(among inputs: [String]) -> String? {
        switch take("input") {
        case .string(let name)?:
            if inputs.contains(name) { return name }
            refuse(SelectionError.unknownInput(name, known: inputs).description)
        case nil: refuse("\"input\" or \"mode\" is missing")
        default: refuse("\"input\" must be the name of an input")
        }
        return nil
    }
}
