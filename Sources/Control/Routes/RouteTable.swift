import HTTPServing
import NIOHTTP1

/// A route of the control API.
struct ControlRoute: Sendable {
    var method: HTTPMethod
    /// The path, with names in braces for variable components: `/channels/{name}`.
    var path: String
    /// The role that it needs.
    var role: ControlRole
    /// The media types of its body; none if it has no body.
    var types: [String] = []
    /// Refuses a request before its body is read.
    var check: @Sendable (ControlRequest) throws(Refusal) -> Void = { _ in }
    var handler: @Sendable (ControlRequest) async throws -> Answer
}

/// The routes of the control API, found by method and path.
struct RouteTable: Sendable {
    /// The routes of one path.
    private struct Path: Sendable {
        var parts: [Substring]
        var routes: [ControlRoute]

        /// Returns the components of a path for the names; nil if the path does not match.
        func names(_ path: [Substring]) -> [Substring: Substring]? {
            guard path.count == parts.count else { return nil }
            var names: [Substring: Substring] = [:]
            for (pattern, part) in zip(parts, path) {
                if pattern.first == "{" {
                    names[pattern.dropFirst().dropLast()] = part
                } else if pattern != part {
                    return nil
                }
            }
            return names
        }

        func route(_ method: HTTPMethod) -> ControlRoute? {
            routes.first { $0.method == (method == .HEAD ? .GET : method) }
        }
    }

    /// The methods of HTTP itself; all others are unknown.
    static let methods: [HTTPMethod] = [.GET, .HEAD, .POST, .PUT, .PATCH, .DELETE, .OPTIONS, .TRACE, .CONNECT]

    /// All routes, in their order.
    let routes: [ControlRoute]
    private let paths: [Path]

    init(_ routes: [ControlRoute]) {
        self.routes = routes
        paths = Dictionary(grouping: routes, by: \.path).map { path, routes in
            Path(parts: path.split(separator: "/"), routes: routes)
        }
    }

    /// Finds the route of a request.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - target: The target of the request, whose path may have a slash too many.
    /// - Returns: The route, and the components of the path by their names.
    /// - Throws: 501 for a method that no path has, 404, or 405 with the allowed methods.
    func route(
        _ method: HTTPMethod,
        _ target: String
    ) throws(Refusal) -> (ControlRoute, names: [Substring: Substring]) {
        guard Self.methods.contains(method) else {
            // RFC 9110 § 15.6.2: the path does not matter.
            throw Refusal(.notImplemented, ["unknown method"])
        }
        let parts = target.prefix { $0 != "?" }.split(separator: "/")
        for path in paths {
            guard let names = path.names(parts) else { continue }
            if let route = path.route(method) { return (route, names) }
            // RFC 9110 § 15.5.6: the answer lists the allowed methods.
            let allowed = Self.methods.filter { path.route($0) != nil }.map(\.rawValue).joined(separator: ", ")
            throw Refusal(.methodNotAllowed, ["the method must be \(allowed)"], fields: ["Allow": allowed])
        }
        throw Refusal(.notFound, ["there is nothing here; GET / lists the routes"])
    }
}
