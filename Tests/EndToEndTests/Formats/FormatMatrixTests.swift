import Foundation
import Playlists
import TestSupport
import Testing

/// Every codec in every container under every encryption, judged by software that is not ours.
@Suite struct FormatMatrixTests {
    @Test(arguments: FormatMatrix.packaged.filter { $0.format.isReadByFFmpeg }, FFmpegGeneration.allCases)
    func everyFrameIsTheFeeds(cell: FormatMatrix.Cell, generation: FFmpegGeneration) async throws {
        let published = try await PackagedFeed([cell.codec.feed], as: cell.format)
        for (index, track) in published.tracks(cell.codec.kind).enumerated() {
            let source = try await FeedStore.shared.decoded(
                cell.codec.feed,
                "\(cell.codec.kind.letter):\(index)",
                by: generation
            )
            let frames = try await published.decoded(track.rendition, track.stream, by: generation)
            let spoiled = cell.codec.kind == .video ? cell.format.spoiledPictures : 0
            #expect(frames.difference(from: source, spoiled: spoiled, tolerance: 2) == nil)
        }
        #expect(!published.tracks(cell.codec.kind).isEmpty)
        await published.packager.end()
    }

    @Test(arguments: FormatMatrix.packaged)
    func ffprobeSeesWhatThePlaylistSays(cell: FormatMatrix.Cell) async throws {
        let published = try await PackagedFeed([cell.codec.feed], as: cell.format)
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
        #expect(!tracks.isEmpty)
        await published.packager.end()
    }

    @Test(
        arguments: FormatMatrix.packaged.filter {
            $0.format.container == .fragmentedMP4
                && [.sampleAES, .sampleAESCounterMode].contains($0.format.encryption)
        }
    )
    func shakaPackagersDecryptorAgrees(cell: FormatMatrix.Cell) async throws {
        let published = try await PackagedFeed([cell.codec.feed], as: cell.format)
        let directory = try TemporaryDirectory()
        let tracks = published.tracks(cell.codec.kind)
        for (index, track) in tracks.enumerated() {
            let source = try await FeedStore.shared.decoded(cell.codec.feed, "\(cell.codec.kind.letter):\(index)")
            let periods = published.periods(of: track.rendition)
            try #require(periods.count == 1)
            let file = try await ShakaDecryptor.decrypt(periods[0], cell.codec.kind.rawValue, in: directory)
            #expect(try await Frames.decoded(["-i", file], track.stream).map(\.checksum) == source.map(\.checksum))
        }
        #expect(!tracks.isEmpty)
        await published.packager.end()
    }

    @Test(arguments: FormatMatrix.refused)
    func whatCannotBeIsRefusedAtStart(cell: FormatMatrix.Cell) async throws {
        let file = try await FeedStore.shared.file(cell.codec.feed)
        let program = try Program(Repository.packager, ["--input", file] + cell.format.options)
        #expect(await program.exitCode() == 2)
        let text = try await eventually(within: 5, "a message") { program.errors.isEmpty ? nil : program.errors }
        #expect(text.contains(cell.codec.name), "\(text)")
    }

    @Test func readmeShowsTheMatrix() throws {
        let readme = try String(contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains(FormatMatrix.table), "README.md lacks\n\(FormatMatrix.table)")
    }
}
