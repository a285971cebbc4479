import Fetching
import MediaCore

/// The retries of a player after a request that failed, in the manner of hls.js.
///
/// The wait doubles with every attempt. A request with status 4xx is not repeated at once: the origin has understood
/// it.
struct RetryPolicy: Hashable, Sendable {
    var maximumAttempts: Int
    var delay: MediaTime
    var maximumDelay: MediaTime

    /// hls.js's `playlistLoadPolicy`.
    static let playlists = RetryPolicy(
        maximumAttempts: 2,
        delay: MediaTime(seconds: 1),
        maximumDelay: MediaTime(seconds: 8)
    )

    /// hls.js's `fragLoadPolicy`.
    static let segments = RetryPolicy(
        maximumAttempts: 6,
        delay: MediaTime(seconds: 1),
        maximumDelay: MediaTime(seconds: 8)
    )

    /// Returns the time to wait for the next attempt.
    ///
    /// - Parameters:
    ///   - attempts: The number of retries so far.
    ///   - error: The error of the request.
    /// - Returns: The time; nil if there is no other attempt.
    func wait(after attempts: Int, _ error: FetchError) -> MediaTime? {
        if case .status(400..<500) = error { return nil }
        guard attempts < maximumAttempts else { return nil }
        return min(delay * (1 << Int64(min(attempts, 16))), maximumDelay)
    }
}
