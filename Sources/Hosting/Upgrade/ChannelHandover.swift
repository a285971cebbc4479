import ContentProtection
import Foundation
import Ingest
import NIOCore
import Operations
import Presentation
import Segmenting
import Succession
import Timeline

/// The state of a channel, for the process that resumes it.
struct ChannelHandover: Codable {
    var streamIdentity: [String: String]
    var schedule: [ScheduleAction]
    /// The inputs; nil from versions that know their names alone.
    var inputs: [FormerInput]?
    /// The name of the first input that is held, as such versions say it.
    var heldInput: String?
    /// The places of inputs on the timeline by their names, as such versions say them.
    var placements: [String: InputTimeline.Placement]
    /// The window; nil if it is in the journal.
    var window: SavedWindow?
    /// The published parts of its newest slots, and of the slots after it; nil if there are none, or they are in
    /// the journal.
    var parts: SavedParts?
    /// The secret that keys are derived from; nil if nothing needs it, or a file has it.
    var secret: [UInt8]?
    /// The keys that the key source has given; nil if there are none, and from versions that request them again.
    var givenKeys: GivenKeys?

    private enum CodingKeys: String, CodingKey {
        case streamIdentity, schedule, inputs, heldInput, placements, window, secret, givenKeys
        // The first version with parts handed over those of slots that were not over, and no others.
        case parts = "open"
    }

    init(_ predecessor: ChannelPredecessor, secret: MasterSecret?) {
        streamIdentity = predecessor.streamIdentity
        schedule = predecessor.schedule
        inputs = predecessor.inputs
        heldInput = predecessor.inputs.first(where: \.isHeld)?.name
        let placed = predecessor.inputs.compactMap { input in input.placement.map { (input.name, $0) } }
        placements = Dictionary(placed) { first, _ in first }
        window = predecessor.window?.window
        parts = predecessor.window.flatMap { $0.parts.isEmpty ? nil : $0.parts }
        self.secret = secret?.bytes
        givenKeys = predecessor.givenKeys
    }

    /// Makes the predecessor of a channel of this process.
    ///
    /// - Parameters:
    ///   - names: The names of the inputs of that channel, as operators know them.
    ///   - bodies: Bytes of the window, by path.
    ///   - feeds: The open feeds, by location.
    /// - Returns: The predecessor.
    func predecessor(
        inputs names: [InputID],
        bodies: [String: ByteBuffer],
        feeds: [String: OpenFeed]
    ) -> ChannelPredecessor {
        var predecessor = ChannelPredecessor(
            window: window.map { RestoredWindow(window: $0, bodies: bodies, parts: parts ?? SavedParts()) },
            streamIdentity: streamIdentity,
            schedule: schedule
        )
        predecessor.inputs =
            inputs
            ?? names.map(\.description).map { name in
                FormerInput(name: name, isHeld: name == heldInput, placement: placements[name])
            }
        predecessor.givenKeys = givenKeys
        predecessor.feeds = feeds
        return predecessor
    }
}
