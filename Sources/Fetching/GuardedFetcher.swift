import NIOHTTP1

/// Gets resources, and follows redirects only to where they may lead.
package struct GuardedFetcher: Fetcher {
    /// The most redirects, as many as ``OriginClient`` follows.
    static let mostRedirects = 5
    /// The most characters of a host, with its port, that an error names.
    private static let longestHost = 261

    private let mayLead: @Sendable (String) -> Bool
    private let ask: @Sendable (String) async throws(FetchError) -> HTTPAnswer

    /// - Parameters:
    ///   - mayLead: Returns true if a redirect may lead to a URL.
    ///   - ask: Sends one request, without following redirects.
    package init(
        redirecting mayLead: @escaping @Sendable (String) -> Bool,
        asking ask: @escaping @Sendable (String) async throws(FetchError) -> HTTPAnswer
    ) {
        self.mayLead = mayLead
        self.ask = ask
    }

    /// - Parameters:
    ///   - client: Asks the servers; it follows no redirects itself.
    ///   - mayLead: Returns true if a redirect may lead to a URL.
    package init(_ client: OriginClient, redirecting mayLead: @escaping @Sendable (String) -> Bool) {
        self.init(redirecting: mayLead) { url throws(FetchError) in try await client.send(nil, to: url, [:]) }
    }

    /// Returns true if a redirect does not lead from https to http, where anybody on the way could answer.
    package static func staysSecure(_ next: String, from url: String) -> Bool {
        !url.lowercased().hasPrefix("https:") || next.lowercased().hasPrefix("https:")
    }

    package func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
        var url = url
        for _ in 0...Self.mostRedirects {
            let answer = try await ask(url)
            if answer.status == 200 { return FetchedResource(url: url, body: answer.body, date: answer.date) }
            guard let next = answer.redirect(from: url) else { throw .status(answer.status) }
            guard mayLead(next) else { throw .redirected(to: Self.host(of: next)) }
            url = next
        }
        throw .failed("there are more than \(Self.mostRedirects) redirects")
    }

    /// The host of a URL that a stranger wrote, with its port and without its user: an error shows it.
    private static func host(of url: String) -> String {
        let unknown = "another place"
        guard let start = url.firstRange(of: "://")?.upperBound else { return unknown }
        let authority = url[start...].prefix { !"/?#\\".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let isPlain = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:[]".contains($0)) }
        return isPlain && (1...longestHost).contains(host.count) ? String(host) : unknown
    }
}
