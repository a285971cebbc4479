package import ContentProtection
import MediaCore
package import Operations
import Synchronization

/// The keys of the assets that have keys of their own.
///
/// They are in memory alone: the source gives those of an asset again to a later process.
package final class AssetKeys: Sendable {
    /// Returns the source of the keys of an asset by its ID, which gives the same ones each time.
    package typealias Source = @Sendable (String) -> any KeySource

    private let source: Result<Source, AssetRefusal>
    private let classes: [KeyClass]
    private let state = Mutex(State())

    private struct State {
        /// The keys by assets.
        var keys: [String: [PeriodKey]] = [:]
        /// The times of the last requests for viewers, by assets.
        var asked: [String: ContinuousClock.Instant] = [:]
        /// The assets by the IDs of their keys.
        var holders: [KeyID: String] = [:]
    }

    /// The keys of an asset never change.
    private static let period = CryptoPeriod(0)
    /// The time that the source may take for an answer.
    private static let patience = Duration.seconds(30)
    /// The time before the source is asked again.
    private static let pause = Duration.seconds(60)

    /// - Parameters:
    ///   - classes: The classes of tracks that have keys of their own.
    ///   - source: Returns the source of the keys of an asset.
    package init(classes: [KeyClass], _ source: @escaping Source) {
        self.classes = classes
        self.source = .success(source)
    }

    /// Makes those of a channel whose assets cannot have keys of their own.
    ///
    /// - Parameter refusal: The reason.
    package init(refusal: AssetRefusal) {
        classes = []
        source = .failure(refusal)
    }

    /// The reason why there are no keys; nil if there are.
    var refusal: AssetRefusal? {
        if case .failure(let refusal) = source { refusal } else { nil }
    }

    /// Requests the keys of an asset, and waits for them.
    ///
    /// - Parameter id: The ID of the asset.
    /// - Returns: A key for each class of tracks.
    /// - Throws: ``AssetRefusal`` if there are none, or the error of the source.
    func keys(of id: String) async throws -> [PeriodKey] {
        if let known = state.withLock({ $0.keys[id] }) { return known }
        let keySource = try source.get()(id)
        let keys = try await keySource.keys(of: Self.period, classes, within: Self.patience)
        state.withLock { $0.keys[id] = keys }
        return keys
    }

    /// Notes an asset that viewers have.
    func open(_ record: AssetRecord) {
        guard record.state == .ready else { return }
        state.withLock { state in
            for keyID in record.ownKeyIDs { state.holders[keyID] = record.id }
        }
    }

    /// Forgets an asset.
    func close(_ id: String) {
        state.withLock { state in
            state.keys[id] = nil
            state.asked[id] = nil
            state.holders = state.holders.filter { $0.value != id }
        }
    }

    /// The ID of the asset that has a key; nil if none has.
    func holder(of keyID: KeyID) -> String? { state.withLock { $0.holders[keyID] } }

    /// Returns a key of an asset; nil if its source now gives others.
    ///
    /// It never waits: a slow source is asked, and the next request gets the key.
    ///
    /// - Throws: `MissingKey` if the source has not given it again yet.
    func key(_ keyID: KeyID, of id: String) throws(MissingKey) -> PeriodKey? {
        if refusal != nil { return nil }
        ask(for: id)
        guard let keys = state.withLock({ $0.keys[id] }) else { throw MissingKey() }
        return keys.first { $0.keyID == keyID }
    }

    /// Requests unknown keys of an asset from the source, unless it was asked a short time ago.
    private func ask(for id: String) {
        guard let source = try? source.get() else { return }
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            if state.keys[id] != nil { return false }
            if let asked = state.asked[id], now - asked < Self.pause { return false }
            state.asked[id] = now
            return true
        }
        guard isDue else { return }
        source(id).requestKeys(of: Self.period, classes) { [self] answer in
            guard let keys = try? answer.get(), keys.count == classes.count else { return }
            // The asset may have gone meanwhile.
            state.withLock { if $0.asked[id] != nil { $0.keys[id] = keys } }
        }
    }
}

extension AssetRecord {
    /// The IDs of its own keys; none if it has those of the channel.
    var ownKeyIDs: [KeyID] { (keyIDs ?? [:]).values.compactMap { Bytes16(hex: $0).map(KeyID.init) } }
}
