import MediaCore

/// The entry of a stream in the program map (ISO/IEC 13818-1 § 2.4.4.8; SAMPLE-AES: MPEG-2 Stream Encryption Format for
/// HTTP Live Streaming § 2.3).
extension ElementaryStream {
    /// Checks that the program map can announce it.
    ///
    /// - Throws: ``TransportProgramError`` if encryption is not defined for its kind, or its audio setup is missing or
    ///   too long.
    func validate() throws(TransportProgramError) {
        guard isEncrypted else { return }
        guard privateDataIndicator != nil else { throw .notEncryptable(kind) }
        guard kind.isAudio else { return }
        guard let audioSetup else { throw .missingAudioSetup(kind) }
        guard audioSetup.setupData.count <= AudioSetupInformation.maximumSetupDataByteCount else {
            throw .audioSetupTooLong
        }
    }

    var streamType: UInt8 {
        switch kind {
        case .h264: isEncrypted ? 0xDB : 0x1B
        case .hevc: 0x24
        case .aac: isEncrypted ? 0xCF : 0x0F
        case .ac3: isEncrypted ? 0xC1 : 0x81
        case .eac3: isEncrypted ? 0xC2 : 0x87
        case .mpegAudio: 0x03
        case .timedID3: 0x15
        }
    }

    /// The descriptors of its entry in the program map.
    var descriptors: [UInt8] {
        var bytes: [UInt8] = []
        if isEncrypted {
            if let code = privateDataIndicator { bytes += Self.descriptor(0x0F, code.bytes) }
            if let audioSetup { bytes += Self.registration("apad", audioSetup.bytes) }
        } else if let code = registration {
            bytes += Self.registration(code)
        }
        // metadata_descriptor: service 0, no decoder configuration, no DSM-CC (§ 2.6.60).
        if kind == .timedID3 { bytes += Self.descriptor(0x26, Self.id3Format + [0x00, 0x0F]) }
        if let code = languageCode {
            // ISO_639_language_descriptor, whose audio_type 3 is for the visually impaired (§ 2.6.18).
            bytes += Self.descriptor(0x0A, code + [isAudioDescription ? 3 : 0])
        }
        return bytes
    }

    /// metadata_pointer_descriptor, in the program's own loop: metadata of service 0 are in this program (§ 2.6.58).
    static func metadataPointer(programNumber: UInt16) -> [UInt8] {
        let number = [UInt8(programNumber >> 8), UInt8(truncatingIfNeeded: programNumber)]
        return descriptor(0x25, id3Format + [0x00, 0x1F] + number)
    }

    /// Application format and format, each by its identifier.
    private static let id3Format: [UInt8] = {
        let identifier = ("ID3 " as FourCC).bytes
        return [0xFF, 0xFF] + identifier + [0xFF] + identifier
    }()

    /// The value of private_data_indicator_descriptor; nil if there is no encryption for the kind.
    private var privateDataIndicator: FourCC? {
        switch kind {
        case .h264: "zavc"
        case .aac: "aacd"
        case .ac3: "ac3d"
        case .eac3: "ec3d"
        case .hevc, .mpegAudio, .timedID3: nil
        }
    }

    /// format_identifier of a clear stream whose type alone does not say enough.
    private var registration: FourCC? {
        switch kind {
        case .hevc: "HEVC"
        case .ac3: "AC-3"
        case .eac3: "EAC3"
        case .h264, .aac, .mpegAudio, .timedID3: nil
        }
    }

    private var languageCode: [UInt8]? {
        guard let code = language.map({ Array($0.utf8) }), code.count == 3,
            code.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "z")).contains)
        else { return nil }
        return code
    }

    private static func registration(_ identifier: FourCC, _ additional: [UInt8] = []) -> [UInt8] {
        descriptor(0x05, identifier.bytes + additional)
    }

    private static func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
        [tag, UInt8(truncatingIfNeeded: body.count)] + body
    }
}
