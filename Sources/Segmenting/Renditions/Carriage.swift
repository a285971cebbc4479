import Codecs
package import MediaCore

/// The tracks that a channel can carry, and the format of their segments.
package struct Carriage: Sendable {
    package var format: StreamFormat
    package var isSampleEncrypted: Bool

    package init(format: StreamFormat, isSampleEncrypted: Bool) {
        self.format = format
        self.isSampleEncrypted = isSampleEncrypted
    }

    package enum Verdict: Hashable, Sendable {
        /// The track is carried in this format, perhaps with a warning for operators.
        case carried(SegmentFormat, warning: String?)
        /// The track is left out, for this reason.
        case refused(String)

        package var isCarried: Bool {
            if case .carried = self { true } else { false }
        }
    }

    /// Decides if a track is carried.
    package func verdict(on track: InputTrack) -> Verdict {
        if track.isEncrypted {
            return .refused("it is encrypted, and the packager has no key for it; send it in the clear")
        }
        switch track.codec {
        case .unsupported("none"): return .refused("its codec is not known yet")
        case .unsupported("mpeg2video"):
            return .refused("MPEG-2 video is not an HLS codec; have the encoder send H.264 or HEVC")
        case .unsupported(let name): return .refused("codec \(name) is not supported")
        case .mp2: return .refused("players cannot play MP2; set audio-transcode to convert it to AAC")
        case .text(.webVTT): return .carried(.webVTT, warning: nil)
        default: break
        }
        if format == .fmp4 {
            let warning =
                "its picture is mirrored or rotated by an angle that is not supported; viewers see it as it is coded"
            return .carried(.fragmentedMP4, warning: track.rotation == nil ? warning : nil)
        }
        let verdict = inTransportStreams(track.codec)
        guard case .carried(let format, let warning) = verdict, track.rotation != PictureRotation.none else {
            return verdict
        }
        let rotated =
            "its picture should be rotated, but transport streams cannot signal that: viewers see it as it is coded; use fmp4"
        return .carried(format, warning: [warning, rotated].compactMap(\.self).joined(separator: "; "))
    }

    /// The reason why segments of a format cannot hold audio of a decoder configuration; nil if they can.
    ///
    /// The codec alone, which ``verdict(on:)`` judges, is not enough.
    package func problem(with audio: CodecConfiguration, in format: SegmentFormat) -> String? {
        if format.hasInitializationSections { return nil }
        if case .aac(let aac) = audio {
            do throws(CodecError) {
                _ = try ADTSFraming(aac)
            } catch {
                return "\(error)"
            }
        }
        if isSampleEncrypted, audio.audioSetupInformation == nil {
            return "SAMPLE-AES is not defined for \(audio.rfc6381) in transport streams"
        }
        return nil
    }

    private func inTransportStreams(_ codec: InputTrack.Codec) -> Verdict {
        switch codec {
        case .h264: .carried(.transportStream, warning: nil)
        case .hevc where isSampleEncrypted:
            // MPEG-2 Stream Encryption Format for HTTP Live Streaming § 2: H.264 is the only video.
            .refused("SAMPLE-AES is not defined for HEVC in transport streams; use fmp4, or aes-128")
        case .hevc:
            .carried(
                .transportStream,
                warning: "Apple's players take HEVC in fMP4 only (HLS Authoring Specification § 1.5)"
            )
        case .aac: .carried(.aac, warning: nil)
        case .ac3: .carried(.ac3, warning: nil)
        case .eac3: .carried(.ec3, warning: nil)
        case .mp3 where isSampleEncrypted: .refused("SAMPLE-AES is not defined for MP3; use fmp4, or aes-128")
        case .mp3: .carried(.mp3, warning: nil)
        // Codecs that are not named in RFC 8216bis § 3.1.1 and 3.1.3 have no place in the formats.
        default: .refused("\(codec) is not carried in transport streams; use fmp4")
        }
    }
}
