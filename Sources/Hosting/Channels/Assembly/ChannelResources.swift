import Channels
import ContentProtection
import Fetching
import Foundation
import Ingest
import MediaCore
import NIOCore
import Origin
import PackagerConfig
import Playlists
import Segmenting

/// The resources of a channel that can be missing, unreadable or wrong.
///
/// They do not stay open, so a check can read them first, and the channel again later.
struct ChannelResources {
    let keySchedule: KeySchedule?
    let keySource: (any KeySource)?
    /// The settings that the numbers, names and keys of its segments depend on.
    let streamIdentity: [String: String]
    let peerToken: PeerToken?
    /// The authorities that may have signed the peer's certificate; nil for those that the system trusts.
    let peerAuthorities: CertificateAuthorities?
    let filler: LossFiller
    /// The names of renditions in other languages, as JSON; nil if there are none.
    let localizedNames: ByteBuffer?
    let ads: OriginAds?
    let pushTargets: [PushTarget]

    /// - Throws: ``SetupError`` with all unusable resources.
    init(for settings: ChannelConfiguration, _ assembly: ChannelAssembly) async throws(SetupError) {
        var problems = Self.problemsOfPaths(settings)
        func attempt<Value>(_ get: () throws(SetupError) -> Value) -> Value? {
            do {
                return try get()
            } catch {
                problems += error.items
                return nil
            }
        }
        let keySchedule = attempt { () throws(SetupError) in try assembly.keySchedule(for: settings) }
        let keySource = keySchedule.flatMap { schedule in
            attempt { () throws(SetupError) in try settings.source(of: schedule) }
        }
        let streamIdentity = keySchedule.flatMap { schedule in
            attempt { () throws(SetupError) in try assembly.streamIdentity(of: settings, schedule) }
        }
        let peerToken = keySchedule.flatMap { schedule in
            attempt { () throws(SetupError) in try assembly.peerToken(of: settings, schedule) }
        }
        let peerAuthorities = attempt { () throws(SetupError) in try Self.peerAuthorities(for: settings) }
        let localizedNames = attempt { () throws(SetupError) in try assembly.localizedNames(for: settings) }
        let ads = attempt { () throws(SetupError) in try assembly.ads(for: settings) }
        let pushTargets = attempt { () throws(SetupError) in try assembly.pushTargets(for: settings) }
        var filler: LossFiller?
        do {
            filler = try await assembly.filler(for: settings)
        } catch {
            problems += error.items
        }
        guard problems.isEmpty, let keySchedule, let keySource, let streamIdentity, let peerToken, let peerAuthorities,
            let filler,
            let localizedNames, let ads, let pushTargets
        else { throw SetupError(problems) }
        self.keySchedule = keySchedule
        self.keySource = keySource
        self.streamIdentity = streamIdentity
        self.peerToken = peerToken
        self.peerAuthorities = peerAuthorities
        self.filler = filler
        self.localizedNames = localizedNames
        self.ads = ads
        self.pushTargets = pushTargets
    }

    private static func peerAuthorities(
        for settings: ChannelConfiguration
    ) throws(SetupError) -> CertificateAuthorities? {
        guard let path = settings.peerAuthorityFile else { return nil }
        do throws(CertificateAuthorities.Missing) {
            return try CertificateAuthorities(file: path)
        } catch {
            throw SetupError("peer-authority", of: settings.name, "\(path): \(error)")
        }
    }

    /// Feeds that are not there, and directories that cannot be written to.
    private static func problemsOfPaths(_ settings: ChannelConfiguration) -> [SetupProblem] {
        let feeds = [("input", settings.inputs), ("backup", settings.backups)].flatMap { setting, feeds in
            feeds.enumerated().compactMap { index, feed -> SetupProblem? in
                guard let path = feed.path, !FileManager.default.isReadableFile(atPath: path) else { return nil }
                return SetupProblem(setting, of: settings.name, at: index, "\(feed) is not a file that can be read")
            }
        }
        let directories = [
            ("state", settings.state), ("record", settings.recording.directory), ("output", settings.output),
            ("output-keys", settings.outputKeys),
        ]
        let obstacles = directories.compactMap { setting, path in
            path.flatMap { DirectoryCheck($0).obstacle }.map { SetupProblem(setting, of: settings.name, $0) }
        }
        let isRecordable = !obstacles.contains { $0.setting == "record" }
        let recording = isRecordable ? ChannelAssembly.problem(ofRecording: settings) : nil
        return feeds + obstacles + [recording].compactMap(\.self)
    }
}
