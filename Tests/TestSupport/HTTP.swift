package import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 10)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        let names = response.allHeaderFields.map { ("\($0)".lowercased(), "\($1)") }
        return Answer(status: response.statusCode, fields: Dictionary(names) { first, _ in first }, body: body)
    }

    /// The body of an answer with status 200.
    package static func body(_ url: String) async throws -> Data {
        let answer = try await get(url)
        guard answer.status == 200 else { throw Program.Failure(description: "\(url): status \(answer.status)") }
        return answer.body
    }

    private static let session = URLSession(configuration: .ephemeral)
}
