import MediaCore

/// One stream of a program, as the program map announces it.
package struct ElementaryStream: Hashable, Sendable {
    /// The contents of the stream, and their form.
    package enum Kind: Hashable, Sendable {
        /// Annex B, each access unit with its delimiter and, at sync samples, parameter sets.
        case h264
        case hevc
        /// ADTS frames.
        case aac
        /// Syncframes.
        case ac3
        /// Groups of syncframes, each of 1536 samples.
        case eac3
        /// Frames with headers, of any layer.
        case mpegAudio
        /// ID3v2.4 tags.
        case timedID3
    }

    package var kind: Kind
    /// Three lower-case letters of ISO 639-2; anything else is not announced.
    var language: String?
    /// True if it describes pictures to those who do not see them.
    var isAudioDescription: Bool
    /// True if its access units are encrypted by SAMPLE-AES.
    var isEncrypted: Bool
    /// The setup that a decoder of encrypted audio must know.
    var audioSetup: AudioSetupInformation?

    package init(
        _ kind: Kind,
        language: String? = nil,
        isAudioDescription: Bool = false,
        isEncrypted: Bool = false,
        audioSetup: AudioSetupInformation? = nil
    ) {
        self.kind = kind
        self.language = language
        self.isAudioDescription = isAudioDescription
        self.isEncrypted = isEncrypted
        self.audioSetup = audioSetup
    }
}

extension ElementaryStream.Kind {
    var isVideo: Bool { self == .h264 || self == .hevc }
    var isAudio: Bool { !isVideo && self != .timedID3 }

    /// stream_id of its PES packets (ISO/IEC 13818-1 table 2-22).
    var streamID: UInt8 {
        switch self {
        case .h264, .hevc: 0xE0
        case .aac, .mpegAudio: 0xC0
        // private_stream_1
        case .ac3, .eac3, .timedID3: 0xBD
        }
    }

    /// The PID of the first stream of its sort; others follow.
    var firstPID: UInt16 { isVideo ? 0x100 : isAudio ? 0x200 : 0x300 }
}
