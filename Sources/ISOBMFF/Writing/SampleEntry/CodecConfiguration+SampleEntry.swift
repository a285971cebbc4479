import MediaCore

extension CodecConfiguration {
    /// The entry of `stsd`: the coding of the samples, and their encryption.
    func sampleEntry(encryption: TrackEncryption?) -> any Box {
        switch self {
        // ISO/IEC 14496-15 § 5.4.2, 8.4.1: the third character is 1 where no parameter set is in a sample.
        case .avc(let avc):
            VisualSampleEntry("avc1", AVCConfigurationBox(avc), avc.picture, encryption: encryption)
        case .hevc(let hevc):
            VisualSampleEntry(
                hevc.picture.needsDolbyVision ? "dvh1" : "hvc1",
                HEVCConfigurationBox(hevc),
                hevc.picture,
                encryption: encryption
            )
        case .av1(let av1):
            VisualSampleEntry(
                av1.picture.needsDolbyVision ? "dav1" : "av01",
                AV1ConfigurationBox(av1: av1),
                av1.picture,
                encryption: encryption
            )
        case .aac(let aac):
            AudioSampleEntry(
                "mp4a",
                ElementaryStreamDescriptorBox(aac),
                channels: aac.channels,
                sampleRate: aac.outputSampleRate,
                encryption: encryption
            )
        case .mpegAudio(let audio):
            AudioSampleEntry(
                "mp4a",
                ElementaryStreamDescriptorBox(audio),
                channels: audio.channels,
                sampleRate: audio.sampleRate,
                encryption: encryption
            )
        case .ac3(let ac3):
            AudioSampleEntry(
                "ac-3",
                AC3SpecificBox(ac3: ac3),
                channels: ac3.audio.channels,
                sampleRate: ac3.audio.sampleRate,
                encryption: encryption
            )
        case .eac3(let eac3):
            AudioSampleEntry(
                "ec-3",
                EC3SpecificBox(eac3),
                channels: eac3.audio.channels,
                sampleRate: eac3.audio.sampleRate,
                encryption: encryption
            )
        case .opus(let opus):
            AudioSampleEntry(
                "Opus",
                OpusSpecificBox(opus: opus),
                channels: opus.channels,
                sampleRate: OpusConfiguration.sampleRate,
                encryption: encryption
            )
        case .flac(let flac):
            AudioSampleEntry(
                "fLaC",
                FLACSpecificBox(flac: flac),
                channels: flac.channels,
                sampleSize: flac.bitsPerSample,
                sampleRate: flac.expressibleSampleRate,
                encryption: encryption
            )
        case .alac(let alac):
            AudioSampleEntry(
                "alac",
                ALACSpecificBox(alac: alac),
                channels: alac.channels,
                sampleSize: alac.bitsPerSample,
                sampleRate: alac.sampleRate,
                encryption: encryption
            )
        case .text(.webVTT): WebVTTSampleEntry()
        case .text(.imsc1): XMLSubtitleSampleEntry()
        }
    }
}

extension PictureFormat {
    /// True if a decoder that knows nothing of Dolby Vision would show wrong colours, and so must not find a codec that
    /// it knows (Dolby Vision Streams Within the ISO Base Media File Format).
    fileprivate var needsDolbyVision: Bool { dynamicRange.dolbyVision?.compatibilityID == 0 }
}

extension FLACConfiguration {
    /// Hz, halved until 16 bits can say them (Encapsulation of FLAC in ISO Base Media File Format § 3.3.1).
    fileprivate var expressibleSampleRate: Int {
        var rate = sampleRate
        while rate > UInt16.max, rate.isMultiple(of: 2) { rate /= 2 }
        return min(rate, Int(UInt16.max))
    }
}
