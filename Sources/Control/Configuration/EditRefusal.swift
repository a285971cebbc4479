import NIOHTTP1

/// The reason why a channel was not edited.
package enum EditRefusal: Error, Hashable {
    /// No file has the channel.
    case unknownChannel
    /// A precondition of the request does not hold.
    case preconditionFailed
    /// The text is not a description of a channel: one sentence.
    case malformed(String)
    /// The control API may not set some of the values: a sentence each.
    case forbidden([String])
    /// The configuration has problems: a sentence each.
    case refused([String])
    /// The change would not survive a restart: a sentence each.
    case cannotBeKept([String])

    /// Makes the answer for this reason.
    ///
    /// - Parameters:
    ///   - channel: The name of the channel.
    ///   - isRunning: True if the packager has a channel of that name.
    /// - Returns: The answer.
    func refusal(of channel: String, isRunning: Bool) -> Refusal {
        switch self {
        case .unknownChannel where isRunning:
            Refusal(
                .notFound,
                ["the channel \"\(channel)\" comes from flags or environment variables, and is in no file"]
            )
        case .unknownChannel: Refusal(.notFound, ["there is no channel \"\(channel)\" in the configuration"])
        case .preconditionFailed:
            Refusal(
                .preconditionFailed,
                ["the entity tag does not match: the channel has changed; read its configuration again"]
            )
        case .malformed(let problem): Refusal(.badRequest, [problem])
        case .forbidden(let problems): Refusal(.forbidden, problems)
        case .refused(let problems): Refusal(.unprocessableEntity, problems)
        case .cannotBeKept(let problems): Refusal(.conflict, problems)
        }
    }
}
