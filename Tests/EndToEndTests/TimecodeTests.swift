import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Feeds whose pictures are labelled with the time of day.
@Suite struct TimecodeTests {
    private static let slotDuration: Int64 = 2
    private static let settings = [
        "--segment-duration", "\(slotDuration)", "--window", "30", "--clock", "timecode",
    ]

    @Test(arguments: [LabelledFeed.Counting.ntsc, .pal].oneIn(2))
    func everySegmentIsDatedByItsFirstLabel(counting: LabelledFeed.Counting) async throws {
        let feed = try await LabelledFeed(counting)
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(Self.settings + ["--input", "udp://127.0.0.1:\(port)"])
        let encoder = try await feed.encoder(port: port, timestampOffset: 47_721)
        let playlist = try await packager.mediaPlaylist("video-360p", "five segments") { $0.segments.count >= 5 }
        let pictures = try await Self.expectDates(of: feed, in: playlist, packager)
        #expect(Self.isWhole(pictures), "\(pictures)\n\(packager.program.errors)")
        #expect(pictures.count >= 5 * 45)
        #expect(!packager.program.errors.contains("warning"), "\(packager.program.errors)")
        encoder.kill()
        await packager.end()
    }

    /// A packager that starts later, with an encoder that shares the labels but no timestamp, which soon wrap.
    @Test func twoEncodersWithTheSameLabelsMakeOneStream() async throws {
        let feed = try await LabelledFeed()
        let ports = [Ports.free(datagram: true), Ports.free(datagram: true)]
        let origin = Ports.free()
        let first = try await PackagerProcess(
            Self.settings + ["--input", "udp://127.0.0.1:\(ports[0])", "--peer", "http://127.0.0.1:\(origin)"]
        )
        async let encoder = feed.encoder(port: ports[0], timestampOffset: 1_000)
        async let other = feed.encoder(port: ports[1], timestampOffset: (1 << 33) / 90_000 - 25)
        let encoders = try await [encoder, other]
        _ = try await first.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        let second = try await PackagerProcess(
            Self.settings + ["--input", "udp://127.0.0.1:\(ports[1])", "--peer", first.origin],
            port: origin
        )
        _ = try await first.mediaPlaylist("video-360p", "13 segments") { $0.segments.count >= 13 }
        let (common, differing) = try await first.comparison(with: second)
        #expect(common.count >= 10)
        #expect(
            differing.isEmpty,
            "\(differing.sorted()) of \(common.sorted())\n\(first.program.errors)\(second.program.errors)"
        )
        let verdict = try await first.verdict(on: second, seconds: 2)
        #expect(verdict.code == 0, "\(verdict.text)")
        for encoder in encoders { encoder.kill() }
        await first.end()
        await second.end()
    }

    @Test func aBackupWithTheSameLabelsTakesOverWithoutATrace() async throws {
        let feed = try await LabelledFeed()
        let ports = [Ports.free(datagram: true), Ports.free(datagram: true)]
        let packager = try await PackagerProcess(
            Self.settings + ["--input", "udp://127.0.0.1:\(ports[0])", "--backup", "udp://127.0.0.1:\(ports[1])"]
        )
        async let encoder = feed.encoder(port: ports[0], timestampOffset: 77)
        async let other = feed.encoder(port: ports[1], timestampOffset: 60_000)
        let encoders = try await [encoder, other]
        _ = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        encoders[0].kill()
        for rendition in PairFixture.renditions {
            let playlist = try await packager.mediaPlaylist(rendition, "nine segments") { $0.segments.count >= 9 }
            #expect(
                playlist.segments.allSatisfy { !$0.isGap && !$0.startsDiscontinuity },
                "\(rendition)\n\(packager.program.errors)"
            )
            #expect(playlist.discontinuitySequence == 0)
            #expect(Set(playlist.segments.map(\.map)).count == 1)
        }
        let playlist = try await packager.mediaPlaylist("video-360p")
        let pictures = try await Self.expectDates(of: feed, in: playlist, packager)
        #expect(Self.isWhole(pictures), "\(pictures)\n\(packager.program.errors)")
        encoders[1].kill()
        await packager.end()
    }

    /// From the 6th second to the 15th, which is long enough for a feed that never had labels to be given up.
    @Test func labelsThatAreMissingForAWhileAreNotMissed() async throws {
        let feed = try await LabelledFeed(isLabelled: { !(150..<375 ~= $0) })
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(Self.settings + ["--input", "udp://127.0.0.1:\(port)"])
        let encoder = try await feed.encoder(port: port, timestampOffset: 500)
        let playlist = try await packager.mediaPlaylist("video-360p", "ten segments") { $0.segments.count >= 10 }
        let pictures = try await Self.expectDates(of: feed, in: playlist, packager)
        #expect(Self.isWhole(pictures.filter { $0 < 150 }), "\(pictures)\n\(packager.program.errors)")
        #expect(Self.isWhole([374] + pictures.filter { $0 >= 150 }), "\(pictures)\n\(packager.program.errors)")
        encoder.kill()
        await packager.end()
    }

    @Test func labelsInLocalTimeAreMovedToUTCAndGoOnAtMidnight() async throws {
        // Where it will be midnight eight seconds after the first picture.
        let feed = try await LabelledFeed(zone: { start in
            let zone = 86_400 - 8 - start % 86_400
            return zone > 43_200 ? zone - 86_400 : zone
        })
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            Self.settings + ["--timecode-offset", "\(feed.zone)", "--input", "udp://127.0.0.1:\(port)"]
        )
        let encoder = try await feed.encoder(port: port, timestampOffset: 500)
        let playlist = try await packager.mediaPlaylist("video-360p", "seven segments") { $0.segments.count >= 7 }
        let pictures = try await Self.expectDates(of: feed, in: playlist, packager)
        #expect(Self.isWhole(pictures), "\(pictures)\n\(packager.program.errors)")
        let labels = pictures.map { feed.label(of: $0) }
        #expect(labels.first?.hours == 23 && labels.last?.hours == 0)
        encoder.kill()
        await packager.end()
    }

    @Test func labelsThatCannotBeUTCAreNotBelievedAndTheOperatorIsTold() async throws {
        let feed = try await LabelledFeed(zone: { _ in 7_200 })
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(Self.settings + ["--input", "udp://127.0.0.1:\(port)"])
        let encoder = try await feed.encoder(port: port, timestampOffset: 500)
        let playlist = try await packager.mediaPlaylist("video-360p", "two segments") { $0.segments.count >= 2 }
        let edge = try #require(playlist.segments.last).programDateTime.seconds
        #expect(abs(Date.now.timeIntervalSince1970 - edge) < 8)
        for message in ["no valid timecode was found in time", "--timecode-offset"] {
            _ = try await eventually(within: 20, message) {
                packager.program.errors.contains(message) ? true : nil
            }
        }
        encoder.kill()
        await packager.end()
    }

    @Test func aFeedWithoutLabelsIsPlacedByItsArrivalAndTheOperatorIsTold() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(Self.settings + ["--input", "udp://127.0.0.1:\(port)"])
        let sender = try FeedSender.udp(port: port)
        let playlist = try await packager.mediaPlaylist("video-360p", "two segments") { $0.segments.count >= 2 }
        let edge = try #require(playlist.segments.last).programDateTime.seconds
        #expect(abs(Date.now.timeIntervalSince1970 - edge) < 8)
        _ = try await eventually(within: 20, "the operator is told") {
            packager.program.errors.contains("no valid timecode was found in time") ? true : nil
        }
        sender.program.kill()
        await packager.end()
    }
}

extension TimecodeTests {
    /// Expects that media has the date of its label, to the millisecond that playlists have, and that dates continue.
    ///
    /// - Returns: All its pictures that have labels, in order of presentation.
    private static func expectDates(
        of feed: LabelledFeed,
        in playlist: MediaPlaylist,
        _ packager: PackagerProcess
    ) async throws -> [Int] {
        var pictures: [Int] = []
        for (index, segment) in playlist.segments.enumerated() where !segment.isGap {
            #expect(!segment.startsDiscontinuity, "\(segment.uri)")
            let slot = playlist.mediaSequence.value + Int64(index)
            #expect(segment.programDateTime.ticks / (slotDuration * 90_000) == slot, "\(segment.uri)")
            let found = try await feed.pictures(in: HTTP.body(packager.url(segment.uri)))
            if let first = found.first ?? nil {
                #expect(segment.programDateTime.milliseconds == feed.time(of: first).milliseconds, "\(segment.uri)")
            }
            pictures += found.compactMap(\.self)
        }
        for (segment, next) in zip(playlist.segments, playlist.segments.dropFirst()) {
            let end = segment.programDateTime + segment.duration.time
            #expect(abs(next.programDateTime.milliseconds - end.milliseconds) <= 1, "\(next.uri)")
        }
        return pictures.sorted()
    }

    /// Returns true if no picture is missing between the first and the last, and none is there twice.
    private static func isWhole(_ pictures: [Int]) -> Bool {
        pictures.count > 50 && zip(pictures, pictures.dropFirst()).allSatisfy { $0 + 1 == $1 }
    }
}
