/// The reason why a transport stream cannot have these streams.
package enum TransportProgramError: Error, Hashable, Sendable {
    case noStreams
    /// SAMPLE-AES in transport streams is not defined for it.
    case notEncryptable(ElementaryStream.Kind)
    /// Encrypted audio without its setup information.
    case missingAudioSetup(ElementaryStream.Kind)
    /// The setup data is longer than a descriptor holds, which is 243 bytes.
    case audioSetupTooLong
    /// The streams are more than a program map section holds.
    case tooManyStreams
}

extension TransportProgramError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noStreams: "a program without streams"
        case .notEncryptable(let kind): "SAMPLE-AES in MPEG-TS is not defined for \(kind)"
        case .missingAudioSetup(let kind): "encrypted \(kind) needs audio setup information"
        case .audioSetupTooLong:
            "audio setup data has more than \(AudioSetupInformation.maximumSetupDataByteCount) bytes"
        case .tooManyStreams: "the program map does not fit into a section"
        }
    }
}
