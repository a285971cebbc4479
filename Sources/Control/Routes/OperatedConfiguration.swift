/// The configuration of the process, as the control API has it read again and edited while channels are on air.
package protocol OperatedConfiguration: Sendable {
    /// Reads the configuration again, and has the process do what it says, or says what that would be.
    ///
    /// - Parameters:
    ///   - isRehearsal: True if nothing is to be changed.
    ///   - requester: The client that asks; nil if a signal does.
    /// - Returns: The changes.
    /// - Throws: ``ReloadRefusal``; then nothing has changed.
    func reload(isRehearsal: Bool, for requester: Requester?) async throws(ReloadRefusal) -> ReloadReport

    /// Returns the configuration of a channel; nil if there is none.
    func description(of channel: String) -> ChannelDescription?

    /// Changes one channel, now and for every restart.
    ///
    /// - Parameters:
    ///   - channel: Its name.
    ///   - edit: The change to make.
    ///   - precondition: The condition that must hold when it is edited.
    ///   - isRehearsal: True if nothing is to be changed.
    ///   - requester: The client that asks.
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
