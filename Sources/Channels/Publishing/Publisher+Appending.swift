import Logging
import MediaCore
import Operations
import Playlists
import Presentation

/// The treatment of slots that cannot be published unchanged: viewers still get the other slots.
extension Publisher {
    /// Appends slots to the window together, or one by one if some of them cannot follow.
    ///
    /// - Returns: True if viewers get the last of them.
    mutating func append(_ slots: [PublishedSlot], at now: MediaTime) -> Bool {
        do throws(PublicationError) {
            try presentation.publish(run: slots, now: now)
            hasFailed = false
            return true
        } catch {
            return slots.reduce(false) { append($1, at: now) }
        }
    }

    /// Appends a slot to the window; if it cannot follow, gaps stand for the missing or unusable slots.
    ///
    /// - Returns: True if viewers get it.
    mutating func append(_ slot: PublishedSlot, at now: MediaTime) -> Bool {
        do throws(PublicationError) {
            try presentation.publish(slot, now: now)
            return true
        } catch {
            do throws(PublicationError) {
                switch error {
                case .outOfSequence(let expected, let found) where expected < found:
                    let gaps = try presentation.bridge(to: found, now: now)
                    let effect =
                        gaps.map { "\($0) gaps stand for the slots from \(expected) on" } ?? "the window begins anew"
                    reportFailure("slot \(found) follows \(expected.previous): \(effect)", slot.number)
                    try presentation.publish(slot, now: now)
                    return true
                case .outOfSequence(let expected, _):
                    reportFailure("it was published before; the next is \(expected)", slot.number)
                case .renditionsDiffer(let missing, let undeclared):
                    reportFailure("\(Self.difference(missing, undeclared)): a gap stands for it", slot.number)
                    _ = try presentation.bridge(to: slot.number.next, now: now)
                    declared = []
                case .ended:
                    break
                }
            } catch {
                reportFailure("\(error)", slot.number)
            }
            return false
        }
    }

    private static func difference(_ missing: [RenditionID], _ undeclared: [RenditionID]) -> String {
        let names = { (renditions: [RenditionID]) in renditions.map(\.name).joined(separator: ", ") }
        return [
            missing.isEmpty ? nil : "it has nothing for \(names(missing)), which playlists have announced",
            undeclared.isEmpty ? nil : "it has \(names(undeclared)), which playlists have not announced",
        ].compactMap(\.self).joined(separator: ", and ")
    }

    /// Reports that a slot could not be published as it was, once until one can.
    mutating func reportFailure(_ what: String, _ number: MediaSequenceNumber) {
        guard !hasFailed else { return }
        hasFailed = true
        reporter.logger.error(
            "internal fault: a slot became a gap",
            metadata: [
                "slot": .number(Int(number.value)), "what": "\(what)", "viewers": "they get a gap there",
                "do": "keep the log and report it: this is a bug in the packager",
            ]
        )
        note(.gap, "The slot could not be published as it was: \(what).", slot: number)
    }
}
