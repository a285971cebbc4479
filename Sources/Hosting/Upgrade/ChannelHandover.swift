import ContentProtection
import Foundation
import Ingest
import NIOCore
import Operations
import Presentation
import Segmenting
import Succession
import Timeline

/// The state that a channel leaves, as it is said to the process that resumes it.
struct ChannelHandover: Codable {
    var streamIdentity: [String: String]
    var schedule: [ScheduleAction]
    /// The name of the first input that is held, for versions that know one alone.
    var heldInput: String?
    /// The inputs that are held; nil from such versions.
    var held: [HeldInput]?
    /// The places of inputs on the timeline, by what operators call the inputs.
    var placements: [String: InputTimeline.Placement]
    /// The window; nil if it is in the journal.
    var window: SavedWindow?
    /// The parts that viewers have of its newest slots, and of the slots after it; nil if there are none, or they are in
    /// the journal.
    var parts: SavedParts?
    /// The secret that keys are derived from; nil if nothing needs it, or a file has it.
    var secret: [UInt8]?
    /// The keys that the key source has given; nil if there are none, and from versions that ask for them again.
    var givenKeys: GivenKeys?

    private enum CodingKeys: String, CodingKey {
        case streamIdentity, schedule, heldInput, held, placements, window, secret, givenKeys
        // The first version with parts handed over those of slots that were not over, and no others.
        case parts = "open"
    }

    init(_ predecessor: ChannelPredecessor, secret: MasterSecret?) {
        streamIdentity = predecessor.streamIdentity
        schedule = predecessor.schedule
        heldInput = predecessor.held.first?.name
        held = predecessor.held
        placements = Dictionary(predecessor.placements.map { ("\($0.key)", $0.value) }) { first, _ in first }
        window = predecessor.window?.window
        parts = predecessor.window.flatMap { $0.parts.isEmpty ? nil : $0.parts }
        self.secret = secret?.bytes
        givenKeys = predecessor.givenKeys
    }

    /// Makes the predecessor of a channel of this process.
    ///
    /// - Parameters:
    ///   - inputs: Of that channel.
    ///   - bodies: Bytes of the window, by path.
    ///   - feeds: Those that are open, by location.
    /// - Returns: That.
    func predecessor(
        inputs: [InputID],
        bodies: [String: ByteBuffer],
        feeds: [String: OpenFeed]
    ) -> ChannelPredecessor {
        var predecessor = ChannelPredecessor(
            window: window.map { RestoredWindow(window: $0, bodies: bodies, parts: parts ?? SavedParts()) },
            streamIdentity: streamIdentity,
            schedule: schedule
        )
        predecessor.held = held ?? heldInput.map { [HeldInput(name: $0)] } ?? []
        let placed = inputs.compactMap { input in placements["\(input)"].map { (input, $0) } }
        predecessor.placements = Dictionary(placed) { first, _ in first }
        predecessor.givenKeys = givenKeys
        predecessor.feeds = feeds
        return predecessor
    }
}
