import MediaCore

extension CodecConfiguration {
    /// The entry of `stsd`: the coding of the samples, and their encryption.
    func sampleEntry(encryption: TrackEncryption?) -> any Box {
        switch self {
        case .avc(let avc): avc.sampleEntry(encryption)
        case .hevc(let hevc): hevc.sampleEntry(encryption)
        case .av1(let av1): av1.sampleEntry(encryption)
        case .aac(let aac): aac.sampleEntry(encryption)
        case .mpegAudio(let audio): audio.sampleEntry(encryption)
        case .ac3(let ac3): ac3.sampleEntry(encryption)
        case .eac3(let eac3): eac3.sampleEntry(encryption)
        case .opus(let opus): opus.sampleEntry(encryption)
        case .flac(let flac): flac.sampleEntry(encryption)
        case .alac(let alac): alac.sampleEntry(encryption)
        case .text(.webVTT): WebVTTSampleEntry()
        case .text(.imsc1): XMLSubtitleSampleEntry()
        }
    }
}

extension AVCConfiguration {
    fileprivate func sampleEntry(_ encryption: TrackEncryption?) -> VisualSampleEntry {
        // ISO/IEC 14496-15 § 5.4.2, 8.4.1: the third character is 1 if no parameter set is in a sample.
        VisualSampleEntry("avc1", AVCConfigurationBox(self), picture, encryption: encryption)
    }
}

extension HEVCConfiguration {
    fileprivate func sampleEntry(_ encryption: TrackEncryption?) -> VisualSampleEntry {
        VisualSampleEntry(
            picture.needsDolbyVision ? "dvh1" : "hvc1",
            HEVCConfigurationBox(self),
            picture,
            encryption: encryption
        )
    }
}

extension AV1Configuration {
    fileprivate func sampleEntry(_ encryption: TrackEncryption?) -> VisualSampleEntry {
        VisualSampleEntry(
            picture.needsDolbyVision ? "dav1" : "av01",
            AV1ConfigurationBox(av1: self),
            picture,
            encryption: encryption
        )
    }
}

extension AACConfiguration {
    fileprivate func sampleEntry(_ encryption: TrackEncryption?) -> AudioSampleEntry {
        AudioSampleEntry(
            "mp4a",
            ElementaryStreamDescriptorBox(self),
            channels: channels,
            sampleRate: outputSampleRate,
            encryption: encryption
        )
    }
}

extension MPEGAudioConfiguration {
    fileprivate func sampleEntry(_ encryption: TrackEncryption?) -> AudioSampleEntry {
        AudioSampleEntry(
            "mp4a",
            ElementaryStreamDescriptorBox(self),
            channels: channels,
            sampleRate: sampleRate,
            encryption: encryption
        )
    }
}

extension AC3Configuration {
    fileprivate func sampleEntry(_ encryption: TrackEncryption?) -> AudioSampleEntry {
        AudioSampleEntry(
            "ac-3",
            AC3SpecificBox(ac3: self),
            channels: audio.channels,
            sampleRate: audio.sampleRate,
            encryption: encryption
        )
    }
}

extension EAC3Configuration {
    fileprivate func sampleEntry(_ encryption: TrackEncryption?) -> AudioSampleEntry {
        AudioSampleEntry(
            "ec-3",
            EC3SpecificBox(self),
            channels: audio.channels,
            sampleRate: audio.sampleRate,
            encryption: encryption
        )
    }
}

extension OpusConfiguration {
    fileprivate func sampleEntry(_ encryption: TrackEncryption?) -> AudioSampleEntry {
        AudioSampleEntry(
            "Opus",
            OpusSpecificBox(opus: self),
            channels: channels,
            sampleRate: Self.sampleRate,
            encryption: encryption
        )
    }
}

extension FLACConfiguration {
    fileprivate func sampleEntry(_ encryption: TrackEncryption?) -> AudioSampleEntry {
        AudioSampleEntry(
            "fLaC",
            FLACSpecificBox(flac: self),
            channels: channels,
            sampleSize: bitsPerSample,
            sampleRate: expressibleSampleRate,
            encryption: encryption
        )
    }
}

extension ALACConfiguration {
    fileprivate func sampleEntry(_ encryption: TrackEncryption?) -> AudioSampleEntry {
        AudioSampleEntry(
            "alac",
            ALACSpecificBox(alac: self),
            channels: channels,
            sampleSize: bitsPerSample,
            sampleRate: sampleRate,
            encryption: encryption
        )
    }
}

extension PictureFormat {
    /// True if a decoder without Dolby Vision would show wrong colours, and so must not find a codec that it knows
    /// (Dolby Vision Streams Within the ISO Base Media File Format).
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
