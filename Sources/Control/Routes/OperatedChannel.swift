package import MediaCore
package import TimedText

/// A channel as an operator sees it: how it is, and which input is to fill its slots.
package protocol OperatedChannel: Sendable {
    /// The first component of the URLs of its media.
    var name: String { get }

    /// How it is at this moment of UTC, or was a moment before; told at once.
    func status(at now: MediaTime) -> ChannelStatus

    /// Fills slots from this input, beginning with the next that can be.
    ///
    /// - Parameters:
    ///   - input: `input-1`, `backup-1`.
    ///   - hold: Whether it stays there whatever happens; otherwise the next loss, or a fail-back, ends it.
    /// - Throws: ``SelectionError``; then nothing has changed.
    func select(input: String, hold: Bool) async throws(SelectionError)

    /// The languages of its subtitles that cues can be posted to.
    var subtitleLanguages: [String] { get }

    /// Shows cues in the subtitles of a language.
    ///
    /// - Parameters:
    ///   - cues: In UTC.
    ///   - language: One of ``subtitleLanguages``.
    /// - Returns: What becomes of each.
    func show(_ cues: [TimedCue], language: String) async -> [CueOutcome]

    /// Lets the channel choose again.
    func selectAutomatically() async
}
