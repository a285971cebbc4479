import Archive
import ContentProtection
import Files
import MediaCore
import NIOCore
import Origin
import PackagerConfig
import Presentation

/// The settings that packagers, and runs of one, must have in common.
extension ChannelAssembly {
    /// Lists what the numbers, names and keys of a channel's segments depend on; where it changes, a new window begins.
    ///
    /// The names are those that an operator knows, and no value is a secret.
    func streamIdentity(
        of settings: ChannelConfiguration,
        _ keySchedule: KeySchedule?
    ) throws(SetupError) -> [String: String] {
        var identity = settings.identity(of: [.stream])
        guard let keySchedule else {
            // Without keys they say nothing.
            identity["key-rotation"] = nil
            identity["key-classes"] = nil
            return identity
        }
        do {
            // Peers derive the same keys: an identifier of one, which is public, tells whether their secrets are equal.
            identity[NewSecret.name] = "one that gives key \(try keySchedule.secretName())"
        } catch {
            throw SetupError("key-secret", of: settings.name, "\(error)")
        }
        return identity
    }

    /// Makes what the members of a pair show each other; nil if nothing is encrypted, and they have no secret in common.
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

    /// All that two packagers have to have in common to publish the same.
    func pairIdentity(of settings: ChannelConfiguration, stream: [String: String]) -> [String: String] {
        var identity = settings.identity(of: [.pair, .rolling])
        if settings.encryption != .none { identity.merge(keyDelivery.identity) { channel, _ in channel } }
        // Versions that encrypted all segments of a period alike do not say this.
        if settings.encryption == .aes128 { identity["initialization vectors"] = "media sequence numbers" }
        if settings.onLoss == .slate,
            let slate = (settings.slate ?? StandardSlate.path).flatMap({
                try? OpenFile.contents(of: $0, limit: 1 << 30)
            })
        {
            identity["slate"] = "one of content \(ContentHash(of: ByteBuffer(bytes: slate)).entityTag)"
        }
        return identity.merging(stream) { _, stream in stream }
    }
}
