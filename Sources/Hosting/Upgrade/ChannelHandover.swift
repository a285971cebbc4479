import ContentProtection
import Foundation
import Ingest
import NIOCore
import Operations
import Presentation
import Segmenting
import Succession
import Timeline

/// What a channel leaves, as it is said to the process that goes on with it.
struct ChannelHandover: Codable {
    var streamIdentity: [String: String]
    var schedule: [ScheduleAction]
    var heldInput: String?
    /// By what operators call the inputs.
    var placements: [String: InputTimeline.Placement]
    /// Nil where it is in the journal.
    var window: SavedWindow?
    /// That keys are derived from; nil where nothing needs it, or a file has it.
    var secret: [UInt8]?

    init(_ predecessor: ChannelPredecessor, secret: MasterSecret?) {
        streamIdentity = predecessor.streamIdentity
        schedule = predecessor.schedule
        heldInput = predecessor.heldInput
        placements = Dictionary(predecessor.placements.map { ("\($0.key)", $0.value) }) { first, _ in first }
        window = predecessor.window?.window
        self.secret = secret?.bytes
    }

    /// What it says to a channel of this process.
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
            window: window.map { RestoredWindow(window: $0, bodies: bodies) },
            streamIdentity: streamIdentity,
            schedule: schedule
        )
        predecessor.heldInput = heldInput
        let placed = inputs.compactMap { input in placements["\(input)"].map { (input, $0) } }
        predecessor.placements = Dictionary(placed) { first, _ in first }
        predecessor.feeds = feeds
        return predecessor
    }
}
