package import MediaCore
package import NIOCore

/// A movie whose samples are listed in tables before all of them: a file that plays while it is fetched.
///
/// It holds no media: `head()` is written first, and behind it the samples of ``chunks``, one after another.
package struct ProgressiveMovie: Sendable {
    /// Ticks per second of times that are not in the timescale of a track.
    package static let timescale = UInt32(MediaTime.timescale)

    package var tracks: [Track]
    /// All samples in the order that they are in the file.
    package var chunks: [Chunk]
    /// Ticks of ``timescale``.
    package var duration: UInt32

    /// A track, its samples in the order that they are decoded in.
    package struct Track: Sendable {
        package var kind: MediaKind
        /// Ticks per second.
        package var timescale: UInt32
        /// A BCP 47 tag; nil if unknown.
        package var language: String?
        package var placement: PicturePlacement
        /// Sample entries, whole boxes.
        package var entries: [ByteBuffer]
        package var samples: [Sample]
        package var edits: [Edit]

        package init(
            kind: MediaKind,
            timescale: UInt32,
            language: String?,
            placement: PicturePlacement,
            entries: [ByteBuffer],
            samples: [Sample],
            edits: [Edit]
        ) {
            (self.kind, self.timescale, self.language, self.placement) = (kind, timescale, language, placement)
            (self.entries, self.samples, self.edits) = (entries, samples, edits)
        }
    }

    /// A sample as the tables have it, its times in ticks of the track's timescale.
    package struct Sample: Hashable, Sendable {
        /// Ticks until the next sample is decoded.
        package var duration: UInt32
        /// Ticks from decode time to presentation time.
        package var compositionOffset: UInt32
        /// Bytes of the payload.
        package var size: UInt32
        /// True if decoding may start here.
        package var isSync: Bool

        package init(duration: UInt32, compositionOffset: UInt32, size: UInt32, isSync: Bool) {
            (self.duration, self.compositionOffset) = (duration, compositionOffset)
            (self.size, self.isSync) = (size, isSync)
        }
    }

    /// A piece of a track's media that is presented, behind those before it (ISO/IEC 14496-12 § 8.6.6).
    package struct Edit: Hashable, Sendable {
        /// Ticks of ``ProgressiveMovie/timescale``.
        package var duration: UInt64
        /// The presentation time that it starts at, in ticks of the track's timescale; nil if nothing is presented.
        package var mediaTime: UInt64?

        package init(duration: UInt64, mediaTime: UInt64?) {
            (self.duration, self.mediaTime) = (duration, mediaTime)
        }
    }

    /// Samples of one track that follow each other in the file.
    package struct Chunk: Hashable, Sendable {
        /// An index into ``ProgressiveMovie/tracks``.
        package var track: Int
        package var sampleCount: Int
        /// An index into `Track.entries`.
        package var entry: Int

        package init(track: Int, sampleCount: Int, entry: Int) {
            (self.track, self.sampleCount, self.entry) = (track, sampleCount, entry)
        }
    }

    package init(tracks: [Track], chunks: [Chunk], duration: UInt32) {
        (self.tracks, self.chunks, self.duration) = (tracks, chunks, duration)
    }

    /// Writes `ftyp`, `moov` and the header of `mdat`: all that comes before the first sample.
    ///
    /// - Precondition: ``chunks`` count the samples of each track, all of them.
    package func head() -> ByteBuffer {
        var boxes = tracks.map(\.table)
        let offsets = layOut(&boxes)
        let mediaByteCount = offsets.end
        let isLarge = mediaByteCount > UInt64(UInt32.max) - UInt64(Self.longestSmallHead)
        let fileType = fileType
        var movie = movie(boxes, offsets.byTrack, isLarge: isLarge, behind: 0)
        let mediaHeaderByteCount = isLarge ? 16 : MediaDataBoxHeader.byteCount
        let byteCount = fileType.byteCount + movie.byteCount + mediaHeaderByteCount
        movie = self.movie(boxes, offsets.byTrack, isLarge: isLarge, behind: UInt64(byteCount))
        return ByteBuffer(initialCapacity: byteCount) { span in
            fileType.encode(into: &span)
            movie.encode(into: &span)
            if isLarge {
                // ISO/IEC 14496-12 § 4.2: 1 is for a size of 64 bits behind the type.
                span.writeInteger(UInt32(1))
                span.writeInteger(MediaDataBoxHeader.type.code)
                span.writeInteger(UInt64(mediaHeaderByteCount) + mediaByteCount)
            } else {
                MediaDataBoxHeader(payloadByteCount: Int(mediaByteCount)).encode(into: &span)
            }
        }
    }

    /// Bytes of the longest head of a file whose offsets have 32 bits.
    private static let longestSmallHead = 1 << 30

    private var fileType: FileTypeBox {
        var brands: [FourCC] = ["isom", "iso2", "mp41", "mp42"]
        // AV1 Codec ISO Media File Format Binding § 2.1.
        if tracks.contains(where: { $0.entries.contains { CopiedBox($0)?.type == "av01" } }) { brands.append("av01") }
        return FileTypeBox(majorBrand: "mp42", compatibleBrands: brands)
    }

    /// Counts chunks and their bytes.
    ///
    /// - Parameter tables: The tables of each track, which get their chunks.
    /// - Returns: The offset of each chunk from the first sample's, by track, and the bytes of all samples.
    private func layOut(_ tables: inout [SampleTableBox]) -> (byTrack: [[UInt64]], end: UInt64) {
        var offsets = tracks.map { _ in [UInt64]() }
        var counts = tracks.map { _ in 0 }
        var end: UInt64 = 0
        for chunk in chunks {
            let (track, first) = (chunk.track, counts[chunk.track])
            offsets[track].append(end)
            let entry = SampleToChunkBox.Entry(
                firstChunk: UInt32(offsets[track].count),
                samplesPerChunk: UInt32(chunk.sampleCount),
                description: UInt32(chunk.entry + 1)
            )
            let last = tables[track].chunks.entries.last
            if last?.samplesPerChunk != entry.samplesPerChunk || last?.description != entry.description {
                tables[track].chunks.entries.append(entry)
            }
            counts[track] += chunk.sampleCount
            for sample in tracks[track].samples[first..<counts[track]] { end += UInt64(sample.size) }
        }
        precondition(counts == tracks.map(\.samples.count), "chunks hold all samples")
        return (offsets, end)
    }

    private func movie(
        _ tables: [SampleTableBox],
        _ offsets: [[UInt64]],
        isLarge: Bool,
        behind head: UInt64
    ) -> MovieBox {
        let boxes = tracks.indices.map { index in
            var table = tables[index]
            table.chunkOffsets = ChunkOffsetBox(offsets: offsets[index].map { $0 + head }, isLarge: isLarge)
            return tracks[index].box(trackID: UInt32(index + 1), table, duration: duration)
        }
        return MovieBox(
            header: MovieHeaderBox(
                timescale: Self.timescale,
                duration: duration,
                nextTrackID: UInt32(tracks.count + 1)
            ),
            tracks: boxes
        )
    }
}

extension ProgressiveMovie.Track {
    /// The tables of its samples, except for chunks.
    fileprivate var table: SampleTableBox {
        var table = SampleTableBox(descriptions: SampleDescriptionBox(entries: entries.compactMap { CopiedBox($0) }))
        var offsets = CompositionOffsetBox()
        var syncSamples = SyncSampleBox()
        for (index, sample) in samples.enumerated() {
            table.times.runs.append(sample.duration)
            offsets.runs.append(sample.compositionOffset)
            if sample.isSync { syncSamples.numbers.append(UInt32(index + 1)) }
        }
        table.sizes = SampleSizeBox(sizes: samples.map(\.size))
        table.offsets = offsets.runs.areZero ? nil : offsets
        table.syncSamples = syncSamples.numbers.count == samples.count ? nil : syncSamples
        return table
    }

    fileprivate func box(trackID: UInt32, _ table: SampleTableBox, duration: UInt32) -> TrackBox {
        let trackLanguage = TrackLanguage(tag: language)
        let mediaDuration = samples.reduce(UInt64(0)) { $0 + UInt64($1.duration) }
        return TrackBox(
            header: TrackHeaderBox(trackID: trackID, kind: kind, duration: duration, placement: placement),
            edits: EditBox(list: EditListBox(edits: edits)),
            media: MediaBox(
                header: MediaHeaderBox(
                    timescale: timescale,
                    duration: mediaDuration,
                    language: trackLanguage.packed
                ),
                extendedLanguage: trackLanguage.extendedTag.map { ExtendedLanguageBox(tag: $0) },
                handler: HandlerBox(kind: kind),
                information: MediaInformationBox(kind: kind, sampleTable: table)
            )
        )
    }
}
