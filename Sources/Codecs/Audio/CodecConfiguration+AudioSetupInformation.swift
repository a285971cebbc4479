package import MediaCore

extension CodecConfiguration {
    /// The audio type and the setup data of a transport stream with SAMPLE-AES (MPEG-2 Stream Encryption Format for
    /// HTTP Live Streaming § 2.3.3); nil for a codec that it cannot encrypt.
    package var audioSetupInformation: (type: FourCC, data: [UInt8])? {
        switch self {
        case .aac(let aac):
            (aac.objectType == 29 ? "zacp" : aac.objectType == 5 ? "zach" : "zaac", aac.audioSpecificConfig)
        case .ac3(let ac3): ac3.syncframeStart.map { ("zac3", $0) }
        case .eac3(let eac3): ("zec3", eac3.dec3Body)
        default: nil
        }
    }
}
