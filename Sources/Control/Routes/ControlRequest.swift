import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1

/// A request to the control API, what its path names, and its client.
struct ControlRequest: Sendable {
    var head: Request
    var requester: Requester
    /// The components of the path for the route's names, as they are written.
    var names: [Substring: Substring] = [:]
    /// The body; empty if the answer depends on none.
    var body = ByteBuffer()

    /// The media type of the body, in small letters and without parameters.
    var type: String { head.field("Content-Type")?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? "" }

    /// The component of the path in the place of a name.
    func name(_ name: Substring) -> String { names[name].map(String.init) ?? "" }

    /// Returns true if the query is this word, the only one that is allowed.
    func asks(_ word: String) throws(Refusal) -> Bool {
        let names = head.query.map(\.name)
        guard names.allSatisfy({ $0 == word }) else {
            throw Refusal(.badRequest, ["the query may only be \(word)"])
        }
        return !names.isEmpty
    }
}

extension Request {
    /// Returns a field, with all its values if there are several (RFC 9110 § 5.3).
    func field(_ name: String) -> String? {
        let values = fields[name]
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The parameters of the query.
    var query: [(name: String, value: String)] { Self.query(of: target) }

    /// The parameters of a target's query, in their order, with decoded values, which may be empty.
    static func query(of target: String) -> [(name: String, value: String)] {
        let query = target.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        var parameters = query.split(separator: "&", omittingEmptySubsequences: false)
        if parameters.last?.isEmpty == true { parameters.removeLast() }
        return parameters.map { parameter in
            let name = parameter.prefix { $0 != "=" }
            let value = parameter[name.endIndex...].dropFirst()
            return (String(name), PercentEncoding.decoded(value) ?? String(value))
        }
    }
}
