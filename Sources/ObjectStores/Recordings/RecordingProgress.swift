/// The part of a recording that is at a destination.
///
/// Objects are in pages, in the order in which they are sent; they are deleted from the last page to the first.
struct RecordingProgress: Hashable, Sendable, Codable {
    /// Pages of objects, and the objects in them.
    var pages = 0
    var objects = 0
    /// The stored pages, from the first, and the objects in them; of a recording that is being deleted, those that may
    /// be left.
    var done = 0
    var stored = 0
    /// The pages that may be at the destination, if that is not known exactly.
    var reached = 0
    /// True once its objects are being deleted.
    var isGoing = false

    /// True if all of it was sent.
    var isComplete: Bool { !isGoing && done == pages }

    /// The page that is sent or deleted next.
    var page: Int { isGoing ? done - 1 : done }

    /// True if this program may have written it.
    var isSound: Bool {
        1...RecordingLedger.mostObjects ~= pages && pages...RecordingLedger.mostObjects ~= objects
            && 0...pages ~= done && 0...objects ~= stored && 0...pages ~= reached
    }

    /// Notes that the objects of the next page are stored, or deleted.
    mutating func turn(over count: Int) {
        done = isGoing ? max(0, done - 1) : min(pages, done + 1)
        stored = isGoing ? max(0, stored - count) : min(objects, stored + count)
    }

    /// Notes that the recording is to be deleted.
    ///
    /// Some objects of the page under way may be stored.
    mutating func beginRemoval() {
        guard !isGoing else { return }
        done = max(min(pages, done + 1), reached)
        isGoing = true
    }
}
