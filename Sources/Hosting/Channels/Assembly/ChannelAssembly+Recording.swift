import Archive
import MediaCore
import Origin
import PackagerConfig
import Presentation
import Recording

/// The recording of a channel.
extension ChannelAssembly {
    /// Opens the recording of a channel.
    ///
    /// - Parameters:
    ///   - settings: The settings of the channel.
    ///   - watch: Gets the disk's problems.
    /// - Returns: The recorder, which the channel's journal drives if there is one; nil if nothing is recorded.
    /// - Throws: ``SetupError`` if the directory cannot be used.
    func recorder(for settings: ChannelConfiguration, _ watch: DiskWatch) throws(SetupError) -> Recorder? {
        guard let directory = settings.recordingDirectory else { return nil }
        do throws(RecordingError) {
            let recording = try Recording.open(
                directory,
                identity: settings.recordingIdentity,
                segmentDuration: settings.segmentDuration,
                limits: RecordingLimits(age: settings.recording.duration, byteCount: settings.recording.byteCount),
                keyAddresses: playlistAddresses(for: settings),
                onEvent: { watch.note($0) }
            )
            // It is created late if a journal drives it.
            let policy: ConsumerPolicy = settings.state == nil ? .follows(backlog: 64) : .precedes(within: .seconds(1))
            return Recorder(recording, policy: policy)
        } catch {
            throw SetupError("record", of: settings.name, "\(error)")
        }
    }

    /// Makes the service that fills the holes of a channel's recording.
    ///
    /// - Parameters:
    ///   - settings: The settings of the channel.
    ///   - storage: The recording, and the events for the operator.
    ///   - peer: The other member of the pair; nil if there is none.
    ///   - hasSecret: True if the members hold a secret.
    /// - Returns: The healing; nil if nothing is recorded, or there is no peer.
    func healing(
        of settings: ChannelConfiguration,
        _ storage: ChannelStorage,
        _ peer: PeerWatch?,
        hasSecret: Bool
    ) -> RecordingHealing? {
        guard let recording = storage.recorder?.recording, let peer else { return nil }
        // Without a secret the peer gives no media before viewers may have it.
        let delay = hasSecret ? .zero : settings.timeDelay
        return RecordingHealing(
            recording,
            clock,
            patience: RecordingHealing.patience(ofSlots: settings.segmentDuration) + delay,
            budget: healingBudget,
            note: { [watch = storage.watch, url = peer.url] in watch.note($0, from: url) }
        )
    }

    /// Finds a problem that would prevent a recording from being opened, without opening it; nil if there is none.
    static func problem(ofRecording settings: ChannelConfiguration) -> SetupProblem? {
        guard let directory = settings.recordingDirectory else { return nil }
        do throws(RecordingError) {
            try Recording.check(
                directory,
                identity: settings.recordingIdentity,
                segmentDuration: settings.segmentDuration
            )
            return nil
        } catch {
            return SetupProblem("record", of: settings.name, "\(error)")
        }
    }
}

extension ChannelComponents {
    /// Fills holes of the recording until the task is cancelled; returns at once if there is no source for them.
    var heal: @Sendable () async -> Void {
        guard let peer, let healing else { return {} }
        let hasSecret = resources.peerToken != nil
        return {
            await PeerRecordingReader.withReader(
                of: peer,
                hasSecret: hasSecret,
                longestAnswer: RecordedSlots.longest,
                longestFile: HealingLimits().segmentByteCount
            ) { reader in
                await healing.run(with: reader)
            }
        }
    }

    /// Makes the directory of the recorded keys that viewers may have.
    ///
    /// - Parameter clock: The clock of the viewers' delay.
    /// - Returns: The keys; nil if nothing is recorded, or nothing is encrypted.
    func pastKeys(_ clock: any UTCClock) -> PastKeys? {
        guard let recording = storage.recorder?.recording, let keyDirectory else { return nil }
        return PastKeys(directory: keyDirectory, source: resources.keySource) { [delay = settings.viewerDelay] in
            recording.extent.map { delay.seen(of: $0, at: clock.now) }
        }
    }

    /// The past as the origin serves it; nil if nothing is recorded.
    func past(with keys: PastKeys?) -> OriginPast? {
        guard let recording = storage.recorder?.recording else { return nil }
        // Other systems have their own servers, which know the keys that they have been given.
        let own: [KeySystem] = [.identity, .clearkey, .fairplay]
        return OriginPast(
            recording: recording,
            keeps: settings.recording.duration,
            delay: settings.timeDelay,
            keys: settings.keySystems.contains(where: own.contains) ? keys : nil
        )
    }
}

extension ChannelConfiguration {
    /// The delay of all viewers.
    var viewerDelay: ViewerDelay { ViewerDelay(timeDelay, segmentDuration: segmentDuration) }

    /// The directory of the channel's own recording; nil if nothing is recorded.
    fileprivate var recordingDirectory: String? { recording.directory.map { "\($0)/\(name)" } }

    /// The settings that a recording cannot change in, besides the length of its slots.
    ///
    /// Formats, renditions and keys may change, because the recording stores them with the time of their use.
    fileprivate var recordingIdentity: [String: String] { ["name": name] }
}

extension RestoredWindow {
    /// Returns the window with the segments that a recording has and that are not in memory.
    func completed(by recorder: Recorder?) -> RestoredWindow {
        guard let recorder else { return self }
        var window = self
        for file in window.window.files where window.bodies[file.path] == nil {
            guard let count = recorder.byteCount(of: file.path), count == file.byteCount ?? count else { continue }
            window.stored[file.path] = count
        }
        return window
    }
}

/// A recording has the segments of a journal that leaves them to it.
extension Recorder: MediaStore {
    package func byteCount(of path: String) -> Int? { (try? recording.body(path))??.byteCount }
}
