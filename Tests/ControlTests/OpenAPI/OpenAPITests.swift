import Foundation
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import Testing

@testable import Control

/// The OpenAPI document has what the control API has, and nothing else.
@Suite struct OpenAPITests {
    private let document: OpenAPIDocument

    init() throws {
        document = try OpenAPIDocument.read()
    }

    /// The routes of programs: all but the files of the operator page.
    private static var routes: [ControlRoute] {
        let files = Set(OperatorFile.files.keys.map { "/\($0)" })
        return Fixture.server().router.table.routes.filter { !files.contains($0.path) }
    }

    @Test func everyRouteIsAnOperation() {
        let routes = Self.routes.map { "\($0.method.rawValue) \($0.path)" }
        #expect(routes.sorted() == document.operations.keys.sorted())
    }

    /// The role is the scope of the token; a client with a certificate is an administrator.
    @Test func everyOperationHasTheRoleOfItsRoute() throws {
        for route in Self.routes {
            let operation = try #require(document.operations["\(route.method.rawValue) \(route.path)"])
            let token = JSONValue.object(["token": .array([.string(route.role.rawValue)])])
            let certificate = JSONValue.object(["certificate": .array([])])
            let isOpen = ControlAccess.isOpen(route.path)
            #expect(operation.fields["security"].items == (isOpen ? [] : [token, certificate]), "\(operation.name)")
            #expect((operation.fields["responses"].fields["401"] == nil) == isOpen, "\(operation.name)")
            #expect(operation.fields["responses"].fields["403"] != nil, "\(operation.name)")
        }
    }

    @Test func everyBodyHasTheTypesOfItsRoute() throws {
        for route in Self.routes {
            let operation = try #require(document.operations["\(route.method.rawValue) \(route.path)"])
            let types = operation.fields["requestBody"]["content"].fields.keys
            #expect(types.sorted() == route.types.sorted(), "\(operation.name)")
            let answers = Set(operation.fields["responses"].fields.keys)
            #expect(answers.isSuperset(of: ["408", "413", "415"]) == !route.types.isEmpty, "\(operation.name)")
        }
    }

    @Test func everyOperationHasAnIdentifierOfItsOwn() {
        let identifiers = document.operations.values.compactMap { $0.fields["operationId"].text }
        #expect(identifiers.count == document.operations.count)
        #expect(Set(identifiers).count == identifiers.count)
    }

    @Test func everyReferenceLeadsSomewhere() throws {
        #expect(document.root.references.count > 100)
        for reference in document.root.references { _ = try document.resolved(reference) }
    }

    /// Each name in the braces of a path is a parameter, and each parameter of a path is such a name.
    @Test func everyNameOfAPathIsAParameter() throws {
        for (path, item) in document.root["paths"].fields {
            let names = path.split(separator: "/").filter { $0.first == "{" }.map { String($0.dropFirst().dropLast()) }
            let operations = document.operations.values.filter { $0.path == path }
            let references = item["parameters"].items + operations.flatMap { $0.fields["parameters"].items }
            let parameters = try references.map { try document.resolved($0) }
            let known = parameters.filter { $0["in"] == .string("path") }.compactMap { $0["name"].text }
            #expect(Set(known) == Set(names), "\(path)")
        }
    }

    @Test func whatCanBeListedIsListed() throws {
        let schemas = document.root["components"]["schemas"]
        let kinds = schemas["EventKind"]["enum"].items.compactMap(\.text)
        #expect(kinds.sorted() == ChannelEvent.Kind.allCases.map(\.rawValue).sorted())
        let severities = schemas["Event"]["properties"]["severity"]["enum"].items.compactMap(\.text)
        #expect(severities == ChannelEvent.Severity.allCases.map(\.rawValue))
        let failures = schemas["Failure"]["enum"].items.compactMap(\.text)
        #expect(failures == FailureCondition.allCases.map(\.rawValue))
        let reasons = schemas["ChannelReadiness"]["properties"]["reasons"]["items"]["enum"].items.compactMap(\.text)
        #expect(reasons == ["ended"] + failures)
        let events = try #require(document.operations["GET /events"]).fields["parameters"].items
        let parameters = events.filter { $0["in"] == .string("query") }.compactMap { $0["name"].text }
        #expect(parameters.sorted() == EventQuery.parameters)
    }

    @Test func itIsServedWithTheNumberOfTheVersion() async throws {
        let file = APIDocument.file(version: "1.2.3, from abcdef0 of 2026-11-21")
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(file.body.readableBytesView))
        #expect(json["info"]["version"] == .string("1.2.3"))
        let answer = await Fixture.server().fetch("/openapi.json")
        #expect(answer.status == .ok)
        #expect(answer.fields.first(name: "Content-Type") == "application/json")
        #expect(answer.fields.first(name: "Content-Security-Policy") == nil, "it is no page")
        let tag = try #require(answer.fields.first(name: "ETag"))
        #expect(await Fixture.server().fetch("/openapi.json", .GET, ["If-None-Match": tag]).status == .notModified)
    }
}
