import MediaCore

/// The reason why a resource could not be fetched.
package indirect enum FetchError: Error, Hashable, Sendable {
    /// The URL is not absolute, or has another scheme than http and https.
    case invalidURL(String)
    /// The answer was not complete in time.
    case timeout
    /// An answer with another status than 200.
    case status(Int)
    /// The body is longer than this many bytes.
    case tooLarge(limit: Int)
    /// A redirect to a server that may not be contacted, by its host.
    case redirected(to: String)
    /// The connection was refused, or broke.
    case connection(String)
    /// Something else, in one phrase.
    case failed(String)
    /// The requesting task was cancelled.
    case cancelled
    /// An error at one of several addresses.
    case from(String, FetchError)
}

extension FetchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidURL(let url): "\(SecretMask.masked(url)) is not an http or https URL"
        case .timeout: "no complete answer in time"
        case .status(let status) where HTTPAnswer.redirects.contains(status):
            "status \(status), and redirects are not followed"
        case .status(let status): "status \(status)"
        case .tooLarge(let limit): "the answer is longer than \(limit) bytes"
        case .redirected(let host): "it redirects to \(host), where it may not be followed"
        case .connection(let reason): "no connection: \(reason)"
        case .failed(let reason): reason
        case .cancelled: "cancelled"
        case .from(let url, let error): "\(SecretMask.masked(url)): \(error)"
        }
    }
}
