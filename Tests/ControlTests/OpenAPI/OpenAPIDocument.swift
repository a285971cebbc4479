import Foundation
import HTTPServing
import NIOCore
import NIOHTTP1
import Testing

@testable import Control

/// The OpenAPI document of the control API, as tests read it.
struct OpenAPIDocument: Sendable {
    /// One method of one path.
    struct Operation {
        var method: String
        var path: String
        var fields: JSONValue

        /// Method and path, as the root lists them.
        var name: String { "\(method) \(path)" }
    }

    let root: JSONValue

    /// The document, read once for all tests.
    private static let shared: Result<OpenAPIDocument, any Error> = Result {
        let file = APIDocument.file(version: "")
        return OpenAPIDocument(
            root: try JSONDecoder().decode(JSONValue.self, from: Data(file.body.readableBytesView))
        )
    }

    /// Reads the document.
    ///
    /// - Returns: The document.
    /// - Throws: An error if it is no JSON.
    static func read() throws -> OpenAPIDocument { try shared.get() }

    /// All operations, by their names.
    var operations: [String: Operation] {
        let methods = RouteTable.methods.map(\.rawValue)
        var operations: [String: Operation] = [:]
        for (path, item) in root["paths"].fields {
            for method in methods {
                guard let fields = item.fields[method.lowercased()] else { continue }
                let operation = Operation(method: method, path: path, fields: fields)
                operations[operation.name] = operation
            }
        }
        return operations
    }

    /// Returns the value that a reference names; the value itself where it is none.
    ///
    /// - Throws: An error if there is nothing of this name.
    func resolved(_ value: JSONValue) throws -> JSONValue {
        guard let reference = value["$ref"].text else { return value }
        var found = root
        let names = reference.split(separator: "/")
        try #require(names.first == "#", "\(reference) is in another document")
        for name in names.dropFirst() { found = try #require(found.fields[String(name)], "\(reference) is missing") }
        return found
    }

    /// Returns the schema of an answer.
    ///
    /// - Parameters:
    ///   - operation: The operation that was asked for.
    ///   - status: The status of the answer.
    ///   - type: Its media type; nil where it has no body.
    /// - Returns: The schema; null where any body of the type will do.
    /// - Throws: An error if the operation has no such answer.
    func schema(_ operation: Operation, _ status: Int, _ type: String?) throws -> JSONValue {
        let answers = operation.fields["responses"].fields
        let answer = try resolved(#require(answers["\(status)"], "\(operation.name): \(status) is not in the document"))
        guard let type else { return .null }
        return try #require(answer["content"].fields[type], "\(operation.name): \(status) has no \(type)")["schema"]
    }
}

extension JSONValue {
    /// The value of a key; null where there is none.
    subscript(_ key: String) -> JSONValue { fields[key] ?? .null }

    /// The values of an object; empty for anything else.
    var fields: [String: JSONValue] { if case .object(let fields) = self { fields } else { [:] } }

    /// The values of a list; empty for anything else.
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }

    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// All references in this value and below it.
    var references: [JSONValue] {
        let own = self["$ref"].text == nil ? [] : [self]
        return own + (items + fields.values).flatMap(\.references)
    }
}
