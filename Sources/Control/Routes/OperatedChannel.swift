package import MediaCore
package import NIOCore
package import Operations
package import Playlists
package import Presentation

/// A channel for the control API: it reports its state, takes selections of inputs, cues, splices, date ranges and
/// metadata, and makes thumbnails.
package protocol OperatedChannel: Sendable {
    /// The first component of the URLs of its media.
    var name: String { get }

    /// Returns the status at this moment of UTC, or a moment before, without waiting.
    func status(at now: MediaTime) -> ChannelStatus

    /// The counts of publications since the start.
    var totals: WindowSnapshot.Totals { get }

    /// Fills slots from this input, beginning with the next that can be.
    ///
    /// - Parameters:
    ///   - input: `input-1`, `backup-1`.
    ///   - hold: True if it stays there whatever happens; otherwise the next loss, or a fail-back, ends it.
    ///   - client: The client that requests it, for events; nil if it is no new request.
    /// - Throws: ``SelectionError``; then nothing has changed.
    func select(input: String, hold: Bool, by client: String?) async throws(SelectionError)

    /// The languages of its subtitles that cues can be posted to.
    var subtitleLanguages: [String] { get }

    /// The earliest time at which a command accepted now can take effect: `"now"` in a request.
    ///
    /// - Parameter now: UTC.
    /// - Returns: The time, not before `now`.
    func earliest(at now: MediaTime) -> MediaTime

    /// Schedules contents; accepted ones survive the process if the channel has storage.
    ///
    /// - Parameters:
    ///   - contents: In order, their times in UTC; cues of ``subtitleLanguages``.
    ///   - now: UTC, the same as for ``earliest(at:)``.
    /// - Returns: The outcome of each.
    func accept(_ contents: [ScheduleAction.Content], at now: MediaTime) async -> ScheduleAcceptance

    /// The date ranges that playlists list, and those that they will; each with all its attributes.
    var dateRanges: (listed: [DateRange], planned: [DateRange]) { get }

    /// Lets the channel choose again.
    ///
    /// - Parameter client: The client that wants it, for events.
    func selectAutomatically(by client: String) async

    /// The sources that are and have been on air.
    var onAir: OnAirStatus { get }

    /// The finished assets of the channel; nil if it records nothing.
    var assets: (any OperatedAssets)? { get }

    /// A small picture.
    ///
    /// - Parameter input: The input to show; nil for the programme on air.
    /// - Returns: JPEG.
    /// - Throws: ``ThumbnailError``.
    func thumbnail(of input: String?) async throws(ThumbnailError) -> ByteBuffer
}
