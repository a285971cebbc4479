import Foundation
import NIOCore

/// A JSON value of any kind, so that what is wrong with one can be said in words.
enum JSONValue: Codable, Hashable {
    case string(String)
    case number(Double)
    case bool(Bool)
    case array([JSONValue])
    case object([String: JSONValue])
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .array(values)
        } else if let values = try? container.decode([String: JSONValue].self) {
            self = .object(values)
        } else {
            self = .null
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let text): try container.encode(text)
        case .number(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let fields): try container.encode(fields)
        case .null: try container.encodeNil()
        }
    }

    /// The items of `{PLURAL: [{…}, …]}`, or the object itself where there is but one.
    ///
    /// - Parameters:
    ///   - json: The body of a request.
    ///   - plural: The key of the list.
    /// - Returns: Their fields.
    /// - Throws: ``MalformedCommand`` where it is neither.
    static func items(_ json: ByteBuffer, _ plural: String) throws(MalformedCommand) -> [[String: JSONValue]] {
        guard case .object(let fields)? = try? JSONDecoder().decode(JSONValue.self, from: Data(json.readableBytesView))
        else { throw MalformedCommand("the body is not a JSON object") }
        guard let list = fields[plural] else { return [fields] }
        guard fields.count == 1, case .array(let values) = list, !values.isEmpty else {
            throw MalformedCommand("\"\(plural)\" must be a list with something in it, and stand alone")
        }
        var items: [[String: JSONValue]] = []
        for (index, value) in values.enumerated() {
            guard case .object(let item) = value else {
                throw MalformedCommand("\(plural)[\(index)] must be an object")
            }
            items.append(item)
        }
        return items
    }
}
