import AsyncHTTPClient
import Foundation
import MediaCore
package import NIOCore
package import NIOHTTP1
import NIOSSL

/// Gets resources from origins over HTTP.
///
/// It keeps connections open, follows redirects if it may, and never waits or reads without a limit.
package struct OriginClient: Fetcher {
    package struct Configuration: Hashable, Sendable {
        var connectTimeout: Duration
        /// The time for head and body together.
        var timeout: Duration
        /// The most bytes of a body that are read.
        var maximumBytes: Int
        /// True if it follows redirects, up to five.
        var followsRedirects: Bool
        /// The authorities that it trusts; nil for those of the system.
        var authorities: CertificateAuthorities?
        /// The most connections to an origin; requests beyond that wait.
        var connectionsPerOrigin: Int
        /// True if servers with addresses outside of the public internet are refused.
        var refusesPrivateAddresses: Bool

        package init(
            connectTimeout: Duration = .seconds(5),
            timeout: Duration = .seconds(10),
            maximumBytes: Int = 64 << 20,
            followsRedirects: Bool = true,
            authorities: CertificateAuthorities? = nil,
            connectionsPerOrigin: Int = 8,
            refusesPrivateAddresses: Bool = false
        ) {
            self.connectTimeout = connectTimeout
            self.timeout = timeout
            self.maximumBytes = maximumBytes
            self.followsRedirects = followsRedirects
            self.authorities = authorities
            self.connectionsPerOrigin = connectionsPerOrigin
            self.refusesPrivateAddresses = refusesPrivateAddresses
        }
    }

    private let client: HTTPClient
    private let configuration: Configuration

    /// A client that someone must `shutdown()`.
    ///
    /// - Parameters:
    ///   - configuration: The limits.
    ///   - connected: Gets the server's address with each new connection; not where private addresses are refused.
    package init(_ configuration: Configuration = Configuration(), connected: (@Sendable (String) -> Void)? = nil) {
        self.configuration = configuration
        var settings = HTTPClient.Configuration(
            redirectConfiguration: configuration.followsRedirects ? .follow(max: 5, allowCycles: false) : .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(configuration.connectTimeout))
        )
        // A failed connection is reported at once: the player retries by its own policy.
        settings.connectionPool.retryConnectionEstablishment = false
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.connectionsPerOrigin
        if let authorities = configuration.authorities {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(authorities.certificates)
            settings.tlsConfiguration = tls
        }
        if configuration.refusesPrivateAddresses {
            // The address of the connection itself is checked, before a request is sent.
            settings.httpVersion = .http1Only
            settings.http1_1ConnectionDebugInitializer = { Self.checkAddress(of: $0) }
        } else if let connected {
            settings.http1_1ConnectionDebugInitializer = { Self.report(to: connected, of: $0) }
            settings.http2ConnectionDebugInitializer = { Self.report(to: connected, of: $0) }
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    }

    /// Fails for a connection to an address that is not on the public internet, and closes it.
    private static func checkAddress(of connection: any Channel) -> EventLoopFuture<Void> {
        let address = connection.remoteAddress?.ipAddress ?? ""
        if AddressRange.isPublic(address) { return connection.eventLoop.makeSucceededVoidFuture() }
        // After the pool has processed the failure.
        connection.eventLoop.execute { connection.close(promise: nil) }
        return connection.eventLoop.makeFailedFuture(FetchError.connection("\(address) is not a public address"))
    }

    /// Tells of a connection, whose certificate was found good if it has one.
    private static func report(to connected: (String) -> Void, of connection: any Channel) -> EventLoopFuture<Void> {
        if let address = connection.remoteAddress?.ipAddress { connected(address) }
        return connection.eventLoop.makeSucceededVoidFuture()
    }

    /// Lends a client for the time of `body`.
    package static func withClient<Result, Failure>(
        _ configuration: Configuration = Configuration(),
        _ body: (OriginClient) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let client = OriginClient(configuration)
        do throws(Failure) {
            let result = try await body(client)
            await client.shutdown()
            return result
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// Closes its connections; requests under way fail.
    package func shutdown() async {
        // It fails only if the client was shut down before.
        try? await client.shutdown()
    }

    /// Fetches a resource, see ``Fetcher/fetch(_:)``.
    package func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
        try await answer(to: url, [:], accepting: [.ok]).resource
    }

    /// Gets a resource that not everybody may have.
    ///
    /// - Parameters:
    ///   - url: Absolute.
    ///   - credentials: The value of `Authorization`; another origin that it redirects to does not get it.
    /// - Returns: The resource, or the answer with status 401 (RFC 9110 § 15.5.2).
    /// - Throws: ``FetchError`` for everything else.
    package func fetch(
        _ url: String,
        credentials: String
    ) async throws(FetchError) -> (isRefusal: Bool, resource: FetchedResource) {
        let (status, resource) = try await answer(
            to: url,
            ["Authorization": credentials],
            accepting: [.ok, .unauthorized]
        )
        return (status == .unauthorized, resource)
    }

    /// Sends a request, and takes an answer with any status.
    ///
    /// - Parameters:
    ///   - body: Nil to send a GET; else it is sent by POST.
    ///   - url: Absolute.
    ///   - fields: The fields of the request. If they are secret, redirects should not be followed.
    /// - Returns: The answer.
    /// - Throws: ``FetchError`` if there is no complete answer.
    package func send(
        _ body: ByteBuffer?,
        to url: String,
        _ fields: HTTPHeaders
    ) async throws(FetchError) -> HTTPAnswer {
        try await send(body == nil ? .GET : .POST, body, to: url, fields)
    }

    /// Sends a request of any method, and takes an answer with any status.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - body: The content; nil for none.
    ///   - url: Absolute.
    ///   - fields: The fields of the request. If they are secret, redirects should not be followed.
    /// - Returns: The answer.
    /// - Throws: ``FetchError`` if there is no complete answer.
    package func send(
        _ method: HTTPMethod,
        _ body: ByteBuffer?,
        to url: String,
        _ fields: HTTPHeaders
    ) async throws(FetchError) -> HTTPAnswer {
        try await answer(to: url, fields, method, sending: body.map { HTTPClientRequest.Body.bytes($0) }) {
            HTTPAnswer(status: Int($0.status.code), fields: $0.headers, body: $1)
        }
    }

    /// Sends a request whose content comes in pieces, and takes an answer with any status.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - pieces: The content.
    ///   - byteCount: The bytes of all pieces together.
    ///   - timeout: The time for the request and its answer together.
    ///   - url: Absolute.
    ///   - fields: The fields of the request. If they are secret, redirects should not be followed.
    /// - Returns: The answer.
    /// - Throws: ``FetchError`` if there is no complete answer.
    package func send<Pieces: AsyncSequence & Sendable>(
        _ method: HTTPMethod,
        _ pieces: Pieces,
        byteCount: Int,
        within timeout: Duration,
        to url: String,
        _ fields: HTTPHeaders
    ) async throws(FetchError) -> HTTPAnswer where Pieces.Element == ByteBuffer {
        let body = HTTPClientRequest.Body.stream(pieces, length: .known(Int64(byteCount)))
        return try await answer(to: url, fields, method, sending: body, within: timeout) {
            HTTPAnswer(status: Int($0.status.code), fields: $0.headers, body: $1)
        }
    }

    private func answer(
        to url: String,
        _ fields: HTTPHeaders,
        accepting statuses: Set<HTTPResponseStatus>
    ) async throws(FetchError) -> (status: HTTPResponseStatus, resource: FetchedResource) {
        try await answer(to: url, fields, accepting: statuses) { response, body in
            let resource = FetchedResource(
                url: response.history.last?.request.url ?? url,
                body: body,
                date: response.headers.first(name: "date").flatMap(MediaTime.init(httpDate:)),
                isMultiplexed: response.version.major >= 2
            )
            return (response.status, resource)
        }
    }

    /// Makes something of an answer with one of the statuses, or with any where they are nil.
    private func answer<Answer: Sendable>(
        to url: String,
        _ fields: HTTPHeaders,
        _ method: HTTPMethod = .GET,
        sending body: HTTPClientRequest.Body? = nil,
        within patience: Duration? = nil,
        accepting statuses: Set<HTTPResponseStatus>? = nil,
        read: @escaping @Sendable (HTTPClientResponse, ByteBuffer) -> Answer
    ) async throws(FetchError) -> Answer {
        // The case of a scheme does not matter (RFC 3986 § 3.1).
        let scheme = url.prefix(8).lowercased()
        guard scheme.hasPrefix("http://") || scheme == "https://" else { throw .invalidURL(url) }
        var request = HTTPClientRequest(url: url)
        request.headers = fields
        request.method = method
        request.body = body
        let (client, limit, timeout) = (client, configuration.maximumBytes, patience ?? configuration.timeout)
        do {
            return try await withThrowingTaskGroup(of: Answer.self) { [request] group in
                group.addTask {
                    let response = try await client.execute(request, timeout: TimeAmount(timeout))
                    if let statuses, !statuses.contains(response.status) {
                        throw FetchError.status(Int(response.status.code))
                    }
                    return read(response, try await response.body.collect(upTo: limit))
                }
                // The client's own deadline ends with the head.
                group.addTask {
                    try await Task.sleep(for: timeout)
                    throw FetchError.timeout
                }
                defer { group.cancelAll() }
                guard let answer = try await group.next() else { throw FetchError.cancelled }
                return answer
            }
        } catch {
            throw FetchError(error, url: url, limit: limit)
        }
    }
}

extension MediaTime {
    /// A point of UTC as HTTP writes it (RFC 9110 § 5.6.7); nil if it is something else, or thousands of years away.
    init?(httpDate text: String) {
        guard let date = try? Self.fixdate.parse(text) else { return nil }
        // A year may have more than four digits.
        self.init(decimalSeconds: date.timeIntervalSince1970)
    }

    private static let fixdate = Date.ParseStrategy(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt
    )
}
