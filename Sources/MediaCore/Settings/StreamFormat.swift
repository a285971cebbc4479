/// The format of a channel's segments.
package enum StreamFormat: String, Hashable, Sendable, CaseIterable {
    /// Fragmented MP4 (CMAF).
    case fmp4
    /// MPEG transport streams, and packed audio beside them.
    case ts

    /// True if samples are encrypted by Common Encryption (ISO/IEC 23001-7), for which subsamples have to be signalled;
    /// transport streams have a scheme of Apple's own, which only FairPlay decrypts.
    package var hasCommonEncryption: Bool { self == .fmp4 }

    /// True if initialization sections stand before the segments.
    package var hasInitializationSections: Bool { self == .fmp4 }

    /// True if IMSC1 may be carried.
    package var carriesIMSC1: Bool { self == .fmp4 }

    /// True if segments may tell of splices themselves (`emsg`).
    package var carriesMessages: Bool { self == .fmp4 }

    /// True if segments can be published in parts.
    package var hasParts: Bool { self == .fmp4 }

    /// True if one video and one audio share their segments, as the oldest players expect of transport streams.
    package var joinsAudioToPictures: Bool { self == .ts }

    /// The number at which timestamps wrap, in 90 kHz ticks; nil if they never do.
    package var timestampModulus: Int64? { self == .ts ? Timestamps.transportStreamModulus : nil }
}
