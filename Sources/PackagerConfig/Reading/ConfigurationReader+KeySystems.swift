import MediaCore

extension ConfigurationReader {
    /// Checks that the key systems go with the encryption.
    mutating func checkKeySystems(_ reading: SettingReading<ChannelConfiguration>) {
        if let identityKey = reading[\.keys.offersIdentity], identityKey.value, !reading.isGiven(\.keys.drm) {
            warn(identityKey.origin, "without drm, the key itself is offered anyway")
        }
        if let hint = reading[\.keys.hint], let system = hint.value.system, !reading.value.keySystems.contains(system) {
            report(hint.origin, "there are no keys of \(system.rawValue) to announce; add it to drm")
        }
        if reading.value.keys.drm.isEmpty {
            let isUsual = [.automatic, .none].contains(reading.value.keys.hdcpLevel)
            let level = isUsual ? nil : reading[\.keys.hdcpLevel]?.origin
            for origin in [level, reading[\.keys.allowedCPC]?.origin].compactMap(\.self) {
                warn(origin, "this has no effect without drm; set drm as well")
            }
        }
        guard let origin = reading.elements(\.keys.drm).first?.origin, let encryption = reading[\.encryption]?.value
        else {
            return
        }
        let systems = Set(reading.value.keys.drm)
        switch encryption {
        case .none, .aes128, .aes256GCM:
            report(origin, "key systems protect samples; they need encryption sample-aes or sample-aes-ctr")
        case .sampleAESCounterMode where systems.contains(.fairplay):
            report(origin, "fairplay knows sample-aes only (HLS Authoring Specification § 13.2, 13.11)")
        case .sampleAES where !reading.value.format.hasCommonEncryption && systems != [.fairplay]:
            report(origin, "in ts there is fairplay only; the others decrypt fmp4")
        case .sampleAES, .sampleAESCounterMode: break
        }
    }
}
