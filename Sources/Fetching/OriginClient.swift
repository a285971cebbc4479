import AsyncHTTPClient
import Foundation
import MediaCore
import NIOCore
import NIOHTTP1

/// Gets resources from origins over HTTP.
///
/// It keeps connections open, follows up to five redirects, and never waits or reads without a limit.
package struct OriginClient: Fetcher {
    package struct Configuration: Hashable, Sendable {
        var connectTimeout: Duration
        /// For head and body together.
        var timeout: Duration
        /// No body is read beyond this many bytes.
        var maximumBytes: Int

        package init(
            connectTimeout: Duration = .seconds(5),
            timeout: Duration = .seconds(10),
            maximumBytes: Int = 64 << 20
        ) {
            self.connectTimeout = connectTimeout
            self.timeout = timeout
            self.maximumBytes = maximumBytes
        }
    }

    private let client: HTTPClient
    private let configuration: Configuration

    /// A client that someone must ``shutdown()``.
    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        var settings = HTTPClient.Configuration(
            redirectConfiguration: .follow(max: 5, allowCycles: false),
            timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(configuration.connectTimeout))
        )
        // A connection that fails is a fact to report, not one to wait behind: the player retries by its own policy.
        settings.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
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
    func shutdown() async {
        // It fails only where it was shut down before.
        try? await client.shutdown()
    }

    package func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
        try await answer(to: url, [:], accepting: [.ok]).resource
    }

    /// Gets a resource that not everybody may have.
    ///
    /// - Parameters:
    ///   - url: Absolute.
    ///   - credentials: What `Authorization` carries; another origin that it redirects to does not get them.
    /// - Returns: The resource, or what was answered with status 401 (RFC 9110 § 15.5.2).
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

    private func answer(
        to url: String,
        _ fields: HTTPHeaders,
        accepting statuses: Set<HTTPResponseStatus>
    ) async throws(FetchError) -> (status: HTTPResponseStatus, resource: FetchedResource) {
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else { throw .invalidURL(url) }
        var request = HTTPClientRequest(url: url)
        request.headers = fields
        let (client, limit, timeout) = (client, configuration.maximumBytes, configuration.timeout)
        do {
            return try await withThrowingTaskGroup(
                of: (status: HTTPResponseStatus, resource: FetchedResource).self
            ) { [request] group in
                group.addTask {
                    let response = try await client.execute(request, timeout: TimeAmount(timeout))
                    guard statuses.contains(response.status) else { throw FetchError.status(Int(response.status.code)) }
                    let body = try await response.body.collect(upTo: limit)
                    let resource = FetchedResource(
                        url: response.history.last?.request.url ?? url,
                        body: body,
                        date: response.headers.first(name: "date").flatMap(MediaTime.init(httpDate:))
                    )
                    return (response.status, resource)
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
    /// A point of UTC as HTTP writes it (RFC 9110 § 5.6.7); nil where it is something else.
    fileprivate init?(httpDate text: String) {
        guard let date = try? Self.fixdate.parse(text) else { return nil }
        self.init(seconds: Int64(date.timeIntervalSince1970))
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

extension FetchError {
    fileprivate init(_ error: any Error, url: String, limit: Int) {
        switch error {
        case let error as FetchError: self = error
        case is CancellationError: self = .cancelled
        case is NIOTooManyBytesError: self = .tooLarge(limit: limit)
        case let error as HTTPClientError: self.init(error, url: url)
        default: self = .connection("\(error)")
        }
    }

    private init(_ error: HTTPClientError, url: String) {
        switch error {
        case .cancelled: self = .cancelled
        case .invalidURL, .emptyHost: self = .invalidURL(url)
        case .connectTimeout, .readTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
            self = .timeout
        default: self = .connection(error.shortDescription)
        }
    }
}
