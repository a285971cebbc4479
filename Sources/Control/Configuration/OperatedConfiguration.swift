/// The configuration of the process, which the control API reloads and edits while channels are on air.
package protocol OperatedConfiguration: Sendable {
    /// Reloads the configuration, or tells what that would change.
    ///
    /// - Parameters:
    ///   - isRehearsal: True for a dry run, which changes nothing.
    ///   - requester: The client of the request; nil for a signal.
    /// - Returns: The changes.
    /// - Throws: ``ReloadRefusal``; then nothing has changed.
    func reload(isRehearsal: Bool, for requester: Requester?) async throws(ReloadRefusal) -> ReloadReport

    /// Returns the configuration of a channel; nil if there is none.
    func description(of channel: String) -> ChannelDescription?

    /// Changes one channel, also for later starts.
    ///
    /// - Parameters:
    ///   - channel: Its name.
    ///   - edit: The change to make.
    ///   - precondition: The condition for the edit.
    ///   - isRehearsal: True for a dry run, which changes nothing.
    ///   - requester: The client of the request.
    /// - Returns: The changes.
    /// - Throws: ``EditRefusal``; then nothing has changed.
    func edit(
        _ channel: String,
        _ edit: ChannelEdit,
        where precondition: Precondition,
        isRehearsal: Bool,
        for requester: Requester
    ) async throws(EditRefusal) -> EditReport
}
