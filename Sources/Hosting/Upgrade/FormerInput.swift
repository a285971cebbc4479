import Channels
import MediaCore
import Segmenting
import Timeline

/// An input of a channel that is being replaced.
///
/// The new channel finds it by its feed, since another feed may have its number by then.
struct FormerInput: Hashable, Codable, Sendable {
    /// The name that operators know.
    var name: String
    /// The location of its feed; nil from versions that know the name alone.
    var location: String?
    /// True if an operator has selected and holds it.
    var isHeld = false
    /// The place of its feed on the timeline; nil if its arrival does not say it.
    var placement: InputTimeline.Placement?

    /// Lists the inputs of a channel, in their order.
    static func all(of channel: HostedChannel) -> [FormerInput] {
        let held = channel.service.channel.latestStatus.held
        let placements = channel.service.channel.placements
        return feeds(of: channel).map { input, location in
            FormerInput(
                name: input.description,
                location: location,
                isHeld: held.contains(input),
                placement: placements[input]
            )
        }
    }

    /// Finds inputs again.
    ///
    /// Inputs of one location that keep their names are the same, and the others follow in their order.
    ///
    /// - Parameters:
    ///   - former: The inputs of the channel before.
    ///   - feeds: The inputs of the channel in its place, with their locations.
    /// - Returns: Those that were found, by the inputs that they are now, and those whose feeds are gone.
    static func matched(
        _ former: [FormerInput],
        with feeds: [(input: InputID, location: String)]
    ) -> (found: [InputID: FormerInput], gone: [FormerInput]) {
        var found: [InputID: FormerInput] = [:]
        var rest = former
        for isOfSameName in [true, false] {
            for (input, location) in feeds where found[input] == nil {
                let index = rest.firstIndex { former in
                    let hasName = former.name == input.description
                    guard let known = former.location else { return hasName }
                    return known == location && (hasName || !isOfSameName)
                }
                if let index { found[input] = rest.remove(at: index) }
            }
        }
        return (found, rest)
    }

    /// Holds the inputs that an operator held in the former channel, and reports those that no longer exist.
    ///
    /// - Parameters:
    ///   - former: The inputs of the channel before.
    ///   - channel: The channel in its place.
    static func keepHolds(_ former: [FormerInput], in channel: HostedChannel) {
        let (found, gone) = matched(former, with: feeds(of: channel))
        let channel = channel.service.channel
        for input in channel.configuration.inputs where found[input]?.isHeld == true { channel.keep(input) }
        for input in gone where input.isHeld { channel.endHold(of: input.title) }
    }

    /// The name, and the location without its secrets.
    private var title: String { location.map { "\(name) (\(FeedLocation($0)))" } ?? name }

    private static func feeds(of channel: HostedChannel) -> [(input: InputID, location: String)] {
        zip(channel.service.channel.configuration.inputs, channel.service.readers).map { ($0, $1.feed.location) }
    }
}
