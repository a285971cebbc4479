import Archive
import Channels
import ContentProtection
import Files
import Foundation
import Ingest
import Logging
import MediaCore
import NIOCore
import Operations
import Origin
import PackagerConfig
import Packaging
import Playlists
import Presentation
import Recording
import Segmenting
import Timeline

/// Puts channels together from their configuration.
struct ChannelAssembly: ChannelFactory {
    let clock: any UTCClock
    let events: EventLog
    let logger: Logger
    var keyDelivery = KeyDelivery()
    /// The variables of the process, which may have credentials of stores.
    var environment: [String: String] = [:]
    /// Signs passes for playlists and media, which the requests of peers need as well; nil if there are none.
    var passKey: PassKey?
    /// The file system that the journals are in.
    var journalFiles: any FileSystem = LocalFileSystem.confidential
    /// True if it only checks, and makes no file.
    private(set) var isRehearsal = false

    /// The assembly that only checks.
    var rehearsal: ChannelAssembly {
        var rehearsal = self
        rehearsal.isRehearsal = true
        return rehearsal
    }

    /// Bounds the bytes that all channels take from their peers for their recordings.
    let healingBudget = HealingBudget()

    /// Makes the thumbnails of all channels.
    let thumbnailMaker = ThumbnailMaker()

    /// The master secrets that live as long as the process, by channel.
    let volatileSecrets = VolatileSecrets()

    /// A channel before it resumes.
    private struct Foundation: Sendable {
        let components: ChannelComponents
        /// The window that an earlier run has left on the disk.
        let saved: RestoredWindow?
        let predecessor: ChannelPredecessor?
    }

    /// A channel before there are readers of its feeds.
    private struct Draft: Sendable {
        let components: ChannelComponents
        /// Has the channel resume from its peer's window; nil if it does not.
        let follow: (@Sendable () async -> Void)?
        let predecessor: ChannelPredecessor?
    }

    /// The most channels that resume at a time: they share the link to the peer.
    private static let mostAtOnce = 16

    /// Puts channels together, those of the programs of one feed with one reader.
    ///
    /// - Parameters:
    ///   - all: As a configuration that was read and checked has them.
    ///   - predecessors: The state of the replaced channels, by name.
    /// - Returns: The channels, in their order.
    /// - Throws: ``SetupError`` with everything that keeps them from it.
    func assemble(
        _ all: [ChannelConfiguration],
        after predecessors: [String: ChannelPredecessor]
    ) async throws(SetupError) -> [HostedChannel] {
        var problems: [SetupProblem] = []
        var foundations: [Foundation] = []
        for settings in all {
            do {
                let resources = try await ChannelResources(for: settings, self)
                foundations.append(try foundation(settings, resources, after: predecessors[settings.name]))
            } catch {
                problems += error.items
            }
        }
        var drafts: [Draft] = []
        for result in await results(of: foundations) {
            switch result {
            case .success(let draft): drafts.append(draft)
            case .failure(let error): problems += error.items
            }
        }
        guard problems.isEmpty else {
            for draft in drafts { await discard(draft.components) }
            throw SetupError(problems)
        }
        // In their order: of channels with the same feed, the first one continues with the open one.
        let requests = drafts.map { draft in
            let components = draft.components
            return self.requests(
                of: components.settings,
                for: components.channel,
                components.keyFrames,
                after: draft.predecessor
            )
        }
        return zip(drafts, FeedReaders.readers(for: requests)).map { draft, readers in
            HostedChannel(
                service: service(of: draft.components, readers, follow: draft.follow),
                origin: origin(of: draft.components),
                operation: operation(of: draft.components),
                streamIdentity: draft.components.resources.streamIdentity
            )
        }
    }

    /// Has channels resume side by side: each may wait for a peer that does not answer.
    ///
    /// - Returns: The drafts, or the problems, in the channels' order.
    private func results(of foundations: [Foundation]) async -> [Result<Draft, SetupError>] {
        await withTaskGroup(of: (index: Int, result: Result<Draft, SetupError>).self) { group in
            var results: [(index: Int, result: Result<Draft, SetupError>)] = []
            for (index, foundation) in foundations.enumerated() {
                if index >= Self.mostAtOnce, let result = await group.next() { results.append(result) }
                group.addTask {
                    do throws(SetupError) {
                        return (index, .success(try await draft(foundation)))
                    } catch {
                        await discard(foundation.components)
                        return (index, .failure(error))
                    }
                }
            }
            for await result in group { results.append(result) }
            return results.sorted { $0.index < $1.index }.map(\.result)
        }
    }

    /// Finds problems that would keep channels from being assembled, as far as they can be detected beforehand.
    ///
    /// - Parameters:
    ///   - channels: As a configuration that was read and checked has them.
    ///   - identities: By name, the settings that numbers and keys of those depend on that these take the places of.
    /// - Returns: The problems.
    func problems(
        of channels: [ChannelConfiguration],
        after identities: [String: [String: String]] = [:]
    ) async -> [SetupProblem] {
        let rehearsal = rehearsal
        var problems: [SetupProblem] = []
        for settings in channels {
            do {
                _ = try await ChannelResources(for: settings, rehearsal)
            } catch {
                problems += error.items
            }
            if let problem = problem(ofKeysOf: settings, after: identities[settings.name]) { problems.append(problem) }
        }
        return problems
    }

    private func foundation(
        _ settings: ChannelConfiguration,
        _ resources: ChannelResources,
        after predecessor: ChannelPredecessor?
    ) throws(SetupError) -> Foundation {
        if let predecessor, predecessor.streamIdentity != resources.streamIdentity {
            throw SetupError(
                "channel \(settings.name): its keys would differ from those of the listed segments; remove it first, or give "
                    + "it another name"
            )
        }
        let (components, saved) = try components(of: settings, resources)
        return Foundation(components: components, saved: saved, predecessor: predecessor)
    }

    /// Closes the files of a channel that is not added, so that another one can use its directories at once.
    private func discard(_ components: ChannelComponents) async {
        await service(of: components, [], follow: nil).close(ends: false)
    }

    private func draft(_ foundation: Foundation) async throws(SetupError) -> Draft {
        let (components, predecessor) = (foundation.components, foundation.predecessor)
        let (channel, settings) = (components.channel, components.settings)
        predecessor?.givenKeys?.add(to: components.keyStore, for: settings)
        // A channel whose feeds continue has all of its predecessor, and hears from its peer again within a second.
        let peer = predecessor?.continues == true ? nil : components.peer
        let known = predecessor?.window?.completed(by: components.storage.recorder)
        let isKnownBetter = Self.isBetter(known, than: foundation.saved)
        if !isKnownBetter { components.storage.journal?.reportLosses() }
        let follow = try await resume(
            channel,
            from: isKnownBetter ? known : foundation.saved,
            settings,
            components.identity,
            peer
        )
        if let predecessor { channel.recall(predecessor.schedule) }
        await components.schedule.recall(from: peer)
        if let directory = components.keyDirectory {
            components.storage.keyFiles?.take(from: directory, for: components.presentation)
        }
        return Draft(components: components, follow: follow, predecessor: predecessor)
    }
}
