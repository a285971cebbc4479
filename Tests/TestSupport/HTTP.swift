import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

/// Fetches from servers on this machine, without cache.
package enum HTTP {
    package struct Answer: Sendable {
        package var status: Int
        package var fields: [String: String]
        package var body: Data

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package static func get(
        _ url: String,
        method: String = "GET",
        fields: [String: String] = [:],
        sending body: String? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in fields { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        // An origin lets requests for a playlist wait 15 s for its channel to begin.
        let response = try await client.execute(request, timeout: .seconds(20))
        let body = try await response.body.collect(upTo: 1 << 30)
        let names = response.headers.map { ($0.name.lowercased(), $0.value) }
        return Answer(
            status: Int(response.status.code),
            fields: Dictionary(names) { first, _ in first },
            body: Data(body.readableBytesView)
        )
    }

    /// The body of an answer with status 200.
    package static func body(_ url: String) async throws -> Data {
        let answer = try await get(url)
        guard answer.status == 200 else { throw Program.Failure(description: "\(url): status \(answer.status)") }
        return answer.body
    }

    /// A client whose requests may be cancelled: with Foundation's URLSession on Linux that can wait for itself.
    private static let client = {
        var configuration = HTTPClient.Configuration(timeout: .init(connect: .seconds(5), read: .seconds(20)))
        // A server that is not there yet is asked again by those who wait for it.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
