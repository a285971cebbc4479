package import MediaCore
package import NIOCore

/// A media initialization section of CMAF: the data that a decoder needs before any fragment of a track.
///
/// The bytes depend on the properties alone (no creation time, no tool's name): equal configurations, equal files.
package struct InitializationSection: Hashable, Sendable {
    package var configuration: CodecConfiguration
    /// Ticks per second of the track.
    var timescale: UInt32
    /// The encryption of the samples; nil if they are clear.
    package var encryption: TrackEncryption?
    /// A BCP 47 tag; nil if unknown.
    var language: String?

    /// The track_ID of every initialization section and of every fragment.
    static let trackID: UInt32 = 1

    package init(
        configuration: CodecConfiguration,
        timescale: UInt32,
        encryption: TrackEncryption? = nil,
        language: String? = nil
    ) {
        self.configuration = configuration
        self.timescale = timescale
        self.encryption = encryption
        self.language = language
    }

    /// Writes `ftyp` and `moov`.
    package func encode() -> ByteBuffer {
        let (fileType, movie) = (fileType, movie)
        return ByteBuffer(initialCapacity: fileType.byteCount + movie.byteCount) { span in
            fileType.encode(into: &span)
            movie.encode(into: &span)
        }
    }

    private var fileType: FileTypeBox {
        var brands: [FourCC] =
            switch configuration.kind {
            // ISO/IEC 23000-19 § 7.7: cmf2 has no edit list, but negative offsets in `trun`, and defaults in each `traf`.
            case .video: ["iso6", "cmfc", "cmf2", "mp41"]
            case .audio: ["iso6", "cmfc", "mp41"]
            // ISO/IEC 23000-19 § 11.2.1, 11.3.1.
            case .text(.webVTT): ["iso6", "cmfc", "cwvt", "mp41"]
            case .text(.imsc1): ["iso6", "cmfc", "im1t", "mp41"]
            }
        // AV1 Codec ISO Media File Format Binding § 2.1.
        if case .av1 = configuration { brands.append("av01") }
        // Dolby Vision Streams Within the ISO Base Media File Format, "File type box".
        if configuration.picture?.dynamicRange.dolbyVision != nil { brands.append("dby1") }
        return FileTypeBox(majorBrand: "iso6", compatibleBrands: brands)
    }

    private var movie: MovieBox {
        MovieBox(
            header: MovieHeaderBox(timescale: timescale, nextTrackID: Self.trackID + 1),
            tracks: [TrackBox(header: trackHeader, media: media)],
            extends: MovieExtendsBox(trackExtends: TrackExtendsBox(trackID: Self.trackID)),
            protectionSystems: (encryption?.headers ?? []).map(ProtectionSystemSpecificHeaderBox.init)
        )
    }

    private var trackHeader: TrackHeaderBox {
        guard let picture = configuration.picture else {
            return TrackHeaderBox(trackID: Self.trackID, kind: configuration.kind, width: 0, height: 0)
        }
        // ISO/IEC 14496-12 § 8.3.2: the size of presentation, here in square pixels of the picture's height.
        let width = UInt64(UInt16(clamping: picture.width)) << 16
        let numerator = UInt64(UInt16(clamping: picture.sampleAspectRatio.numerator))
        let denominator = UInt64(max(1, UInt16(clamping: picture.sampleAspectRatio.denominator)))
        return TrackHeaderBox(
            trackID: Self.trackID,
            kind: .video,
            width: UInt32(clamping: (width * numerator + denominator / 2) / denominator),
            height: UInt32(UInt16(clamping: picture.height)) << 16,
            rotation: picture.rotation
        )
    }

    private var media: MediaBox {
        let trackLanguage = TrackLanguage(tag: language)
        let entry = configuration.sampleEntry(encryption: encryption)
        return MediaBox(
            header: MediaHeaderBox(timescale: timescale, language: trackLanguage.packed),
            extendedLanguage: trackLanguage.extendedTag.map { ExtendedLanguageBox(tag: $0) },
            handler: HandlerBox(kind: configuration.kind),
            information: MediaInformationBox(
                kind: configuration.kind,
                sampleTable: SampleTableBox(descriptions: SampleDescriptionBox(entry: entry))
            )
        )
    }
}
