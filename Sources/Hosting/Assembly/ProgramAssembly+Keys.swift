import KeyServing
import MediaCore
import Origin
import PackagerConfig

/// The server of keys, and its address.
extension ProgramAssembly {
    /// The answers to requests for keys; nil if everybody gets them at the origin's own address.
    var keyResponder: KeyResponder? {
        let lease = KeyDelivery(configuration).leaseSeconds
        guard
            endpoint.tokens != nil || endpoint.fairPlay != nil || configuration.keysListen != nil
                || configuration.keyRate != nil || lease != nil
        else { return nil }
        return KeyResponder(
            tokens: endpoint.tokens,
            requestsPerMinute: configuration.keyRate,
            leaseSeconds: lease,
            fairPlay: endpoint.fairPlay,
            now: { [clock] in clock.wallClock },
            uptime: { [clock] in clock.now },
            logger: logger
        )
    }

    /// The conditions on which viewers have playlists and media; nil if everybody may.
    func mediaAuthorization(_ keyResponder: KeyResponder?) -> MediaAuthorization? {
        guard let key = endpoint.passKey, let keyResponder else { return nil }
        let form: MediaAuthorization.Form? =
            switch configuration.tokenMedia {
            case .off: nil
            case .path: .path
            case .cookie: .cookie
            }
        return form.map { MediaAuthorization(form: $0, key: key, keyResponder: keyResponder) }
    }

    /// The settings of the address of the keys; nil if there is none.
    var keysConfiguration: OriginConfiguration? {
        guard let address = configuration.keysListen else { return nil }
        var keys = OriginConfiguration(host: address.host, port: address.port)
        keys.resources = .keys
        keys.tokenParameter = configuration.tokenParameter
        keys.inherited = takeover?.listener(listenerName("keys", address))
        keys.maximumConnections = DescriptorBudget(limit: ProcessTuning.descriptorLimit, channels: 0).viewers / 4
        keys.maximumConnectionsPerAddress = max(1, keys.maximumConnections / 2)
        return keys
    }
}
