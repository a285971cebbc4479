import CFairPlayProvider
import MediaCore

/// The values that open SPCs of version 3, from a plug-in.
struct SPC3Parameters: Sendable {
    var protocolVersion: Bytes16
    var keySeed: Bytes16
    var ivSeed: Bytes16
    var integritySeed: Bytes16

    init?(_ parameters: packager_fairplay_spc3) {
        func bytes<T>(_ field: T) -> Bytes16? { unsafe withUnsafeBytes(of: field) { unsafe Bytes16($0) } }
        guard let protocolVersion = bytes(parameters.protocol_version), let keySeed = bytes(parameters.key_seed),
            let ivSeed = bytes(parameters.iv_seed), let integritySeed = bytes(parameters.integrity_seed)
        else { return nil }
        self.protocolVersion = protocolVersion
        self.keySeed = keySeed
        self.ivSeed = ivSeed
        self.integritySeed = integritySeed
    }
}
