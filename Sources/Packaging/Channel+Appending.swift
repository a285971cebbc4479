import Logging
import MediaCore
import Presentation

/// What becomes of slots and renditions that cannot be published as they are: none of them keeps the rest from viewers.
extension Channel {
    /// Appends slots to what is listed; those that cannot follow one by one.
    ///
    /// - Returns: Whether viewers get the last of them.
    func append(_ slots: [PublishedSlot], _ state: inout State, at now: MediaTime) -> Bool {
        do throws(PublicationError) {
            try presentation.publish(run: slots, now: now)
            state.hasFailedToPublish = false
            return true
        } catch {
            return slots.reduce(false) { append($1, &state, at: now) }
        }
    }

    /// Appends a slot to what is listed; one that cannot follow costs no more than gaps.
    ///
    /// - Returns: Whether viewers get it.
    private func append(_ slot: PublishedSlot, _ state: inout State, at now: MediaTime) -> Bool {
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
                    reportFailure("slot \(found) follows \(expected.previous): \(effect)", slot.number, &state)
                    try presentation.publish(slot, now: now)
                    return true
                case .outOfSequence(let expected, _):
                    reportFailure("it was published before; the next is \(expected)", slot.number, &state)
                case .renditionsDiffer:
                    reportFailure("\(error): a gap stands for it", slot.number, &state)
                    _ = try presentation.bridge(to: slot.number.next, now: now)
                    state.mustDeclare = true
                case .ended:
                    break
                }
            } catch {
                reportFailure("\(error)", slot.number, &state)
            }
            return false
        }
    }

    /// Says that a slot could not be published as it was, once until one can.
    private func reportFailure(_ what: String, _ number: MediaSequenceNumber, _ state: inout State) {
        guard !state.hasFailedToPublish else { return }
        state.hasFailedToPublish = true
        logger.error("slot not published as it was", metadata: ["slot": "\(number)", "what": "\(what)"])
        note(.gap, "The slot could not be published as it was: \(what).", slot: number)
    }

    /// A rendition of which no segment can be written keeps the others from nothing: it is left out until one can.
    func leaveOut(_ place: Int, _ id: RenditionID, because error: any Error, _ state: inout State) {
        if let sound = state.plans.indices.first(where: { state.plans[$0].carrier == place }) {
            // It may be its sound that cannot be written with it, and can be, or cannot, by itself.
            state.plans[sound].carrier = nil
            state.packagers[place] = nil
            state.declaredSounds.remove(sound)
            state.mustDeclare = true
            return
        }
        guard state.unwritable.insert(place).inserted else { return }
        state.mustDeclare = true
        report("\(id) is left out until it can be written: \(error)", input: .input(state.plans[place].position))
    }
}
