import Archive
import ContentProtection
import Files
import Foundation
import MediaCore
import NIOCore
import Origin
import PackagerConfig
import Presentation

/// The settings that packagers, and runs of one, must have in common.
extension ChannelAssembly {
    /// Lists the settings that numbers, names and keys of segments depend on; if one changes, a new window begins.
    ///
    /// The names are those of settings, and no value is a secret.
    func streamIdentity(
        of settings: ChannelConfiguration,
        _ keySchedule: KeySchedule?
    ) throws(SetupError) -> [String: String] {
        var identity = settings.identity(of: [.stream])
        guard let keySchedule else {
            // Without keys, these settings have no effect.
            identity["key-rotation"] = nil
            identity["key-classes"] = nil
            return identity
        }
        do {
            // Peers derive the same keys: a public identifier of one shows if their secrets are equal.
            identity[NewSecret.name] = "one that gives key \(try keySchedule.secretName())"
        } catch {
            throw SetupError("key-secret", of: settings.name, "\(error)")
        }
        return identity
    }

    /// Finds a change of the keys of a stream on air, without making a file.
    ///
    /// - Parameters:
    ///   - settings: The next settings of the channel.
    ///   - before: The present settings for its numbers and keys; nil if it is not on air.
    /// - Returns: The problem with its secret; nil if the keys stay, or are unknown.
    func problem(ofKeysOf settings: ChannelConfiguration, after before: [String: String]?) -> SetupProblem? {
        guard let known = before?[NewSecret.name],
            let wanted = try? rehearsal.streamIdentity(of: settings, rehearsal.keySchedule(for: settings)),
            let name = wanted[NewSecret.name], name != known
        else { return nil }
        let remedy =
            switch settings.keySecret {
            case .createdFile(let path):
                "first copy master.key from its present state directory to \(path), or name that file in key-secret; a "
                    + "channel without a state directory gets one by a reload, which keeps its keys"
            case .file(let path): "\(path) has another secret than the one that encrypted the stream"
            case .memory: "restore key-secret or state"
            }
        return SetupProblem(
            "key-secret",
            of: settings.name,
            "the keys would differ from those of the listed segments: \(remedy); else remove the channel first, or give "
                + "it another name"
        )
    }

    /// Returns the settings for numbers and keys of channels, as far as files have them, by channel.
    ///
    /// - Parameter channels: The channels of a running process, perhaps another one.
    /// - Returns: The settings of the channels whose secrets exist.
    func knownIdentities(of channels: [ChannelConfiguration]) -> [String: [String: String]] {
        var identities: [String: [String: String]] = [:]
        for settings in channels {
            // A secret that does not exist yet cannot be compared.
            if case .createdFile(let path) = settings.keySecret, !FileManager.default.fileExists(atPath: path) {
                continue
            }
            identities[settings.name] = try? rehearsal.streamIdentity(
                of: settings,
                rehearsal.keySchedule(for: settings)
            )
        }
        return identities
    }

    /// Makes the token that the members of a pair show each other; nil if they encrypt nothing and share no secret.
    func peerToken(of settings: ChannelConfiguration, _ keySchedule: KeySchedule?) throws(SetupError) -> PeerToken? {
        do {
            return try keySchedule?.peerToken()
        } catch {
            throw SetupError("key-secret", of: settings.name, "\(error)")
        }
    }

    /// Decides who may read the resources for the other member of a pair: without a secret, everybody if a peer is
    /// configured, and otherwise nobody.
    func peerAccess(of settings: ChannelConfiguration, _ token: PeerToken?) -> PeerAccess {
        if let token { return .holders(of: token, refusal: refusal(of: settings)) }
        return settings.peer == nil ? .nobody : .everybody
    }

    /// The answer to a peer with another secret.
    private func refusal(of settings: ChannelConfiguration) -> ByteBuffer {
        let json = try? PeerRefusal(encryption: settings.encryption.rawValue).json()
        return json.map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
    }

    /// Returns the settings that two packagers must share to publish the same segments.
    func pairIdentity(of settings: ChannelConfiguration, stream: [String: String]) -> [String: String] {
        var identity = settings.identity(of: [.pair, .rolling])
        if settings.encryption != .none { identity.merge(keyDelivery.identity) { channel, _ in channel } }
        // Versions that encrypted all segments of a period alike do not say this.
        if settings.encryption == .aes128 { identity["initialization vectors"] = "media sequence numbers" }
        if settings.faults.onLoss == .slate,
            let slate = (settings.faults.slate ?? StandardSlate.path).flatMap({
                try? OpenFile.contents(of: $0, limit: 1 << 30)
            })
        {
            identity["slate"] = "one of content \(ContentHash(of: ByteBuffer(bytes: slate)).entityTag)"
        }
        return identity.merging(stream) { _, stream in stream }
    }
}
