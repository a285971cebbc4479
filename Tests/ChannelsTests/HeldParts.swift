import Playlists
import Presentation
import TestSupport

@testable import Packaging
@testable import Segmenting

/// Writes segments and parts as the product does, once the gate lets it.
struct HeldWriter: SegmentWriter {
    var writer: RenditionPackager
    let gate: Gate?

    mutating func write(_ contents: SegmentContents) throws -> PublishedSegment {
        gate?.pass()
        return try writer.write(contents)
    }

    mutating func write(_ part: ChannelEngine.PartDecision) throws -> PublishedPart {
        gate?.pass()
        return try writer.write(part)
    }
}

/// A journal that takes slots once the gate lets it; they wait for it for as long as a test may take.
final class HeldJournal: PublicationConsumer {
    let gate: Gate
    let name = "journal"
    let policy = ConsumerPolicy.precedes(within: .seconds(60))
    let interest = Publication.Kinds.slots

    init(gate: Gate) {
        self.gate = gate
    }

    func take(_ batch: [Publication]) -> ConsumerResult {
        gate.pass()
        return .done
    }
}
