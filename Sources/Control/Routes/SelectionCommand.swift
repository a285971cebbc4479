import Foundation
package import NIOCore

/// What an operator asks of a channel's input selection.
package enum SelectionCommand: Hashable, Sendable {
    case select(input: String, hold: Bool)
    case automatic

    /// Everything that is wrong with a command.
    package struct Malformed: Error, Hashable {
        var problems: [String]
    }

    /// Reads `{"input": NAME, "hold": BOOL}`, without hold unless it says so, or `{"mode": "automatic"}`.
    ///
    /// - Parameters:
    ///   - json: The body of a request.
    ///   - inputs: The names of the channel's inputs.
    /// - Throws: ``Malformed`` with all problems.
    package init(json: ByteBuffer, inputs: [String]) throws(Malformed) {
        guard let fields = try? JSONDecoder().decode([String: Value].self, from: Data(json.readableBytesView)) else {
            throw Malformed(problems: ["the body is not a JSON object"])
        }
        var problems = fields.keys.filter { !["input", "hold", "mode"].contains($0) }.sorted()
            .map { "unknown key \"\($0)\"; keys: input, hold, mode" }
        if let mode = fields["mode"] {
            if mode != .string("automatic") { problems.append("\"mode\" must be \"automatic\"") }
            if fields["input"] != nil || fields["hold"] != nil {
                problems.append("\"mode\" does not go together with \"input\" or \"hold\"")
            }
            guard problems.isEmpty else { throw Malformed(problems: problems) }
            self = .automatic
            return
        }
        var input = ""
        switch fields["input"] {
        case .string(let name):
            input = name
            if !inputs.contains(name) {
                problems.append(SelectionError.unknownInput(name, known: inputs).description)
            }
        case nil: problems.append("\"input\" or \"mode\" is missing")
        default: problems.append("\"input\" must be the name of an input")
        }
        var hold = false
        switch fields["hold"] {
        case .bool(let value): hold = value
        case nil: break
        default: problems.append("\"hold\" must be true or false")
        }
        guard problems.isEmpty else { throw Malformed(problems: problems) }
        self = .select(input: input, hold: hold)
    }

    /// As much of a JSON value as a command needs.
    private enum Value: Decodable, Equatable {
        case string(String), bool(Bool), other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .string(text)
            } else {
                self = (try? container.decode(Bool.self)).map(Self.bool) ?? .other
            }
        }
    }
}
