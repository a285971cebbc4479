import Foundation
import TestSupport
import Testing

@testable import Playlists

/// Every codec in every container under every encryption, judged by software that is not ours.
@Suite struct FormatMatrixTests {
    /// Every codec and every format is tested, also where not all pairs are.
    @Test func everyRowAndColumnIsMet() {
        let (all, some) = (FormatMatrix.packaged, FormatMatrix.tested(where: \.isReadByFFmpeg))
        #expect(Set(some.map(\.codec.name)) == Set(all.map(\.codec.name)))
        #expect(Set(some.map(\.format)) == Set(all.map(\.format)))
    }

    @Test(arguments: FormatMatrix.tested(where: \.isReadByFFmpeg))
    func everyFrameIsTheFeedsAndWhatThePlaylistSays(cell: FormatMatrix.Cell) async throws {
        let published = try await PackagedFeed([cell.feed], as: cell.format)
        try await expectEveryFrame(of: published, cell)
        try await expectWhatThePlaylistSays(of: published, cell)
        await published.packager.end()
    }

    private func expectEveryFrame(of published: PackagedFeed, _ cell: FormatMatrix.Cell) async throws {
        for generation in FFmpegGeneration.allCases {
            for (index, track) in published.tracks(cell.codec.kind).enumerated() {
                let stream = "\(cell.codec.kind.letter):\(index)"
                if cell.codec.name == "AV1", !generation.decodesAV1 {
                    let file = try await FeedStore.shared.file(cell.feed)
                    let source = try await Frames.coded(["-i", file], stream, by: generation)
                    let frames = try await published.coded(track.rendition, track.stream, by: generation)
                    #expect(frames.map(\.checksum) == source.map(\.checksum), "FFmpeg \(generation.rawValue)")
                    continue
                }
                let source = try await FeedStore.shared.decoded(cell.feed, stream, by: generation)
                let frames = try await published.decoded(track.rendition, track.stream, by: generation)
                let difference = frames.difference(from: source, spoiled: cell.format.spoiledUnits, tolerance: 2)
                #expect(difference == nil, "FFmpeg \(generation.rawValue)")
            }
        }
        #expect(!published.tracks(cell.codec.kind).isEmpty)
    }

    /// ffprobe finds what the multivariant playlist declares.
    private func expectWhatThePlaylistSays(of published: PackagedFeed, _ cell: FormatMatrix.Cell) async throws {
        let isFile = cell.format.container == .fragmentedMP4
        let variant = try #require(published.multivariant.variants.first)
        let tracks = published.tracks(cell.codec.kind)
        for track in tracks {
            let input = playlistOptions + [published.packager.url(track.rendition.uri)]
            let stream = try #require(
                try await ProbedStream.streams(of: input).first { $0.codecType == cell.codec.kind.rawValue }
            )
            let matching = variant.codecs.filter { CodecName($0)?.codec == stream.codecName }
            #expect(!matching.isEmpty, "\(stream.codecName) in \(variant.codecs)")
            for name in matching { #expect(stream.contradictions(to: name, isFile: isFile) == []) }
            if cell.codec.kind == .video {
                #expect(variant.resolution == Resolution(width: stream.width ?? 0, height: stream.height ?? 0))
                #expect(variant.videoRange?.rawValue ?? "SDR" == stream.videoRange)
            }
            let rendition = published.multivariant.renditions.first { $0.uri == track.rendition.uri }
            if let channels = rendition?.channels {
                // The number of channels is in front of how they are coded (RFC 8216bis § 4.4.6.1).
                #expect(channels.split(separator: "/").first.flatMap { Int($0) } == stream.channels)
            }
        }
    }

    @Test(
        arguments: FormatMatrix.tested {
            $0.format.container == .fragmentedMP4
                && [.sampleAES, .sampleAESCounterMode].contains($0.format.encryption)
                // It cannot parse MP3 in MP4.
                && $0.codec.name != "MP3"
        }
    )
    func shakaPackagersDecryptorAgrees(cell: FormatMatrix.Cell) async throws {
        let published = try await PackagedFeed([cell.feed], as: cell.format)
        let directory = try TemporaryDirectory()
        let tracks = published.tracks(cell.codec.kind)
        for (index, track) in tracks.enumerated() {
            let source = try await FeedStore.shared.decoded(cell.feed, "\(cell.codec.kind.letter):\(index)")
            let periods = published.periods(of: track.rendition)
            try #require(periods.count == 1)
            let file = try await ShakaDecryptor.decrypt(periods[0], cell.codec.kind.rawValue, in: directory)
            #expect(try await Frames.decoded(["-i", file], track.stream).map(\.checksum) == source.map(\.checksum))
        }
        #expect(!tracks.isEmpty)
        await published.packager.end()
    }

    @Test(arguments: FormatMatrix.refused)
    func whatCannotBeCarriedIsLeftOutAndSaid(cell: FormatMatrix.Cell) async throws {
        let file = try await FeedStore.shared.file(cell.feed)
        let packager = try await PackagerProcess(
            ["--input", file, "--no-realtime", "--segment-duration", "2"] + cell.format.options
        )
        let line = try await eventually(within: 20, "a line of the log") {
            packager.program.errors.split(separator: "\n").first { $0.contains("is left out") }.map(String.init)
        }
        let codec = cell.codec.name.lowercased()
        #expect(line.lowercased().contains(codec) && line.contains("fmp4"), "\(line)")
        await packager.end()
    }

    @Test func transportStreamsHaveNoCounterMode() async throws {
        let format = SegmentFormat(.transportStream, .sampleAESCounterMode)
        let program = try Program(Repository.packager, ["--input", Repository.feed] + format.options)
        #expect(await program.exitCode() == 2)
        let errors = try await eventually(within: 5, "a message") { program.errors.isEmpty ? nil : program.errors }
        #expect(errors.contains("sample-aes-ctr"), "\(errors)")
    }

    @Test(arguments: FormatMatrix.warned)
    func whatNotAllPlayersTakeIsSaid(cell: FormatMatrix.Cell) async throws {
        let published = try await PackagedFeed([cell.feed], as: cell.format)
        let errors = published.packager.program.errors
        #expect(errors.contains("Apple's players take \(cell.codec.name) in fMP4 only"), "\(errors)")
        await published.packager.end()
    }

    @Test func theGuideShowsTheMatrix() throws {
        let page = "docs/outputs-and-players.md"
        let text = try String(contentsOf: Repository.root.appending(path: page), encoding: .utf8)
        #expect(text.contains(FormatMatrix.table), "\(page) lacks\n\(FormatMatrix.table)")
    }
}
