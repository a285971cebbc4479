package import MediaCore
import NIOCore
import Playlists

/// The actions that people and programs have scheduled, as long as they may still have an effect.
///
/// It only grows, except for actions that are over: two members of a pair that have exchanged their actions, in any
/// order, have the same schedule.
package struct Schedule: Sendable {
    /// The actions, in order.
    package private(set) var actions: [ScheduleAction] = []
    /// Equal for equal schedules; empty for an empty one.
    package private(set) var digest = ""

    /// The most actions that one member accepts, in addition to those of its peer.
    package static let most = 10_000
    /// The most bytes of all actions.
    package static let mostBytes = 4 << 20

    private var byteCount = 0

    package init() {}

    /// Returns true if there is room for another one.
    ///
    /// - Parameter content: The content of the action.
    /// - Returns: True if it would be kept.
    package func hasRoom(for content: ScheduleAction.Content) -> Bool {
        actions.count < Self.most && byteCount + content.byteCount <= Self.mostBytes
    }

    /// Returns the actions that are not here and not over.
    ///
    /// - Parameters:
    ///   - others: In any order.
    ///   - now: UTC.
    /// - Returns: In order, each once.
    package func news(among others: [ScheduleAction], at now: MediaTime) -> [ScheduleAction] {
        let known = Set(actions.map(\.id))
        return Set(others.filter { !known.contains($0.id) && !$0.isOver(at: now) }).sorted()
    }

    /// Takes the actions that are new and not over.
    ///
    /// - Parameters:
    ///   - others: In any order.
    ///   - now: UTC.
    /// - Returns: The actions that were taken, in order.
    @discardableResult
    package mutating func merge(_ others: [ScheduleAction], at now: MediaTime) -> [ScheduleAction] {
        let news = news(among: others, at: now)
        if news.isEmpty { return [] }
        actions = (actions + news).sorted()
        note()
        return news
    }

    /// Forgets the actions that are over.
    package mutating func expire(at now: MediaTime) {
        guard actions.contains(where: { $0.isOver(at: now) }) else { return }
        actions.removeAll { $0.isOver(at: now) }
        note()
    }

    private mutating func note() {
        byteCount = actions.reduce(0) { $0 + $1.content.byteCount }
        let ids = actions.map(\.id).joined(separator: " ")
        digest = actions.isEmpty ? "" : ContentHash.everyByte(of: ByteBuffer(string: ids)).description
    }
}

extension ScheduleAction.Content {
    /// The approximate bytes in storage and in an answer to a peer.
    fileprivate var byteCount: Int {
        switch self {
        case .cues(_, let cues): cues.reduce(0) { $0 + $1.payload.utf8.count + 64 }
        case .dateRange(let range, _), .update(let range): range.text.utf8.count + 64
        case .withdrawal(let id, _): id.utf8.count + 64
        // As Base64.
        case .splice(let bytes, _), .metadata(let bytes, _): bytes.count * 4 / 3 + 64
        }
    }
}
