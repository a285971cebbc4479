package import MediaCore

extension CodecConfiguration {
    /// What `CODECS` calls it (RFC 6381 § 3.3, 3.4).
    package var rfc6381: String {
        switch self {
        case .avc(let avc): "avc1.\([avc.profile, avc.compatibility, avc.level].hex)"
        case .aac(let aac): "mp4a.40.\(aac.objectType)"
        }
    }
}
