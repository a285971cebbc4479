import Fetching
import MediaCore
import Playlists
import Testing

@testable import Conformance

@Suite struct PlayerModelTests {
    private static let slot = PlayerSimulation.slot

    @Test func aCleanStreamPlaysFromThreeTargetDurationsBehindTheEdge() {
        let (player, events) = PlayerSimulation().run(seconds: 60)
        #expect(events == ["1.35: playing after 0.35 s"])
        let report = player.report
        #expect(report.startup == 350)
        #expect(report.stalls.count + report.jumps.count + report.failures.count + report.violations.count == 0)
        // The edge was 1.35 s old when playback started 18 s before it.
        #expect(report.samples.points.dropFirst().allSatisfy { $0.latency == 19_350 && $0.isPlaying })
        #expect(report.samples.points.dropFirst(2).allSatisfy { (13_000...18_000).contains($0.buffer) })
        #expect(report.samples.points.count == 61)
        #expect(report.longestPlaylistAge < 1)
        #expect(report.tracks[.video]?.segments == report.tracks[.audio]?.segments)
    }

    @Test func aGapOfTwoSlotsIsJumpedWithoutAStall() {
        let (player, events) = PlayerSimulation { $0.gaps = [Self.slot + 3, Self.slot + 4] }.run(seconds: 60)
        #expect(events == ["1.35: playing after 0.35 s", "31.35: jumped over 8.0 s"])
        #expect(player.report.jumped == 8000)
        #expect(player.report.tracks[.video]?.gaps == 2)
        #expect(player.report.samples.points.last?.latency == 11_350)
    }

    @Test func aGapAtTheStartIsNoLoss() {
        let gaps = Set((Self.slot - 5)..<(Self.slot - 3))
        let (player, events) = PlayerSimulation { $0.gaps = gaps }.run(seconds: 20)
        #expect(events == ["1.35: playing after 0.35 s"])
        #expect(player.report.samples.points.last?.latency == 13_350)
    }

    @Test func aGapInOneTrackHoldsTheOtherBack() {
        var simulation = PlayerSimulation()
        let playlist = simulation.playlist
        simulation.playlist = { track, seconds in
            guard track == .audio else { return playlist(track, seconds) }
            return .success(RollingPlaylist(track: "audio", gaps: [Self.slot + 1]).playlist(at: Self.time(seconds)))
        }
        #expect(simulation.run(seconds: 60).events == ["1.35: playing after 0.35 s", "23.35: jumped over 4.0 s"])
    }

    @Test func aGapOfOneVariantIsPlayedInAnotherOne() {
        var simulation = PlayerSimulation()
        simulation.variants = [Set((Self.slot + 3)..<(Self.slot + 6)), [Self.slot + 8]]
        let (player, events) = simulation.run(seconds: 80)
        #expect(events.filter { !$0.contains("goes on") } == ["1.35: playing after 0.35 s"])
        #expect(player.report.variants.first.map(\.variant) == [1, 0])
        #expect(player.report.jumps.count + player.report.stalls.count + player.report.violations.count == 0)
        #expect(player.report.tracks[.video]?.gaps == 0)
        #expect(player.report.tracks[.video]?.segments == player.report.tracks[.audio]?.segments)
    }

    @Test func aGapOfAllVariantsIsJumpedOnceEachWasTried() {
        var simulation = PlayerSimulation()
        simulation.variants = [[Self.slot + 3, Self.slot + 4], [Self.slot + 2, Self.slot + 3, Self.slot + 4]]
        let (player, events) = simulation.run(seconds: 60)
        let noticed = events.filter { !$0.contains("goes on") }
        #expect(noticed == ["1.35: playing after 0.35 s", "31.35: jumped over 8.0 s"])
        #expect(player.report.variants.first.map(\.variant) == [1])
        #expect(player.report.tracks[.video]?.gaps == 2)
    }

    @Test func aStaleOriginStallsThePlayerOnceItsBufferIsOut() {
        let (player, events) = PlayerSimulation { $0.stopsBefore = Self.slot + 2 }.run(seconds: 60)
        #expect(events == ["1.35: playing after 0.35 s", "27.35: stalled"])
        let report = player.report
        #expect(report.stalls.first.map(\.at) == [Self.time(27.35).milliseconds])
        #expect(report.stalled == 33_650)
        // The last gain was seen at 9.25 s, and the last request that found nothing was made at 58.15 s.
        #expect(report.tracks[.video]?.longestPlaylistAge == 48_900)
    }

    @Test func afterTheEndNothingIsAskedForAndNothingStalls() {
        let (player, events) = PlayerSimulation {
            $0.stopsBefore = Self.slot + 2
            $0.isEnded = true
        }.run(seconds: 60)
        #expect(events == ["1.35: playing after 0.35 s", "27.35: ended"])
        #expect(player.deadline == nil)
    }

    @Test func statuses503AreRetriedTwiceAndThenLeftToTheNextReload() {
        var simulation = PlayerSimulation()
        simulation.tracks = [.video]
        let playlist = simulation.playlist
        simulation.playlist = { track, seconds in
            (10..<30).contains(seconds) ? .failure(.status(503)) : playlist(track, seconds)
        }
        let (player, events) = simulation.run(seconds: 60)
        #expect(
            events == [
                "1.35: playing after 0.35 s",
                "13.25: video playlist failed: status 503",
                "14.35: video playlist failed: status 503",
                "16.45: video playlist failed for good: status 503",
                "22.55: video playlist failed: status 503",
                "23.65: video playlist failed: status 503",
                "25.75: video playlist failed for good: status 503",
                "27.35: stalled",
                "31.95: playing again after 4.6 s",
            ]
        )
        #expect(player.report.failures.count == 6)
        #expect(player.report.stalled == 4600)
    }

    @Test func aSegmentThatIsNotThereIsAskedForAgainWithEveryVersionOfThePlaylist() {
        var simulation = PlayerSimulation()
        simulation.segment = { track, number, seconds in
            track == .video && number == Self.slot + 2 && seconds < 30 ? .status(404) : nil
        }
        #expect(
            simulation.run(seconds: 60).events == [
                "1.35: playing after 0.35 s",
                "13.35: video segment \(Self.slot + 2) failed for good: status 404",
                "17.35: video segment \(Self.slot + 2) failed for good: status 404",
                "21.35: video segment \(Self.slot + 2) failed for good: status 404",
                "25.35: video segment \(Self.slot + 2) failed for good: status 404",
                "27.35: stalled",
                "29.35: video segment \(Self.slot + 2) failed for good: status 404",
                "33.35: playing again after 6.0 s",
            ]
        )
    }

    @Test func aSegmentThatTimesOutIsRetriedEverMoreSlowly() {
        var simulation = PlayerSimulation()
        simulation.segment = { track, number, seconds in
            track == .audio && number == Self.slot + 2 && seconds < 20 ? .timeout : nil
        }
        #expect(
            simulation.run(seconds: 60).events == [
                "1.35: playing after 0.35 s",
                "13.35: audio segment \(Self.slot + 2) failed: no complete answer in time",
                "14.45: audio segment \(Self.slot + 2) failed: no complete answer in time",
                "16.55: audio segment \(Self.slot + 2) failed: no complete answer in time",
            ]
        )
    }

    @Test func anOriginThatStartsOverAtNumberZeroIsRefused() {
        var simulation = PlayerSimulation()
        simulation.tracks = [.video]
        let playlist = simulation.playlist
        simulation.playlist = { track, seconds in
            seconds > 10 ? .success(RollingPlaylist().playlist(end: Int64(seconds) / 4 + 15)) : playlist(track, seconds)
        }
        let (player, events) = simulation.run(seconds: 30)
        #expect(
            events.prefix(4) == [
                "1.35: playing after 0.35 s",
                "13.25: video: mediaSequenceDecreased: from 449999987 to 3 (RFC 8216bis § 6.2.2)",
                "13.25: video playlist refused: media sequence went back from 449999987 to 3",
                "16.35: video playlist refused: media sequence went back from 449999987 to 4",
            ]
        )
        #expect(events.last == "28.75: video playlist refused: media sequence went back from 449999987 to 7")
        #expect(events.contains("27.35: stalled"))
        #expect(player.report.violations.count == 1)
    }

    @Test func aPairMemberThatIsBehindIsNoticedOnlyInTheSequence() {
        var simulation = PlayerSimulation()
        simulation.tracks = [.video]
        let playlist = simulation.playlist
        var loads = 0
        simulation.playlist = { track, seconds in
            // Every fifth answer comes from a member that is 6 s behind.
            loads += 1
            return playlist(track, loads.isMultiple(of: 5) ? seconds - 6 : seconds)
        }
        let (player, events) = simulation.run(seconds: 60)
        #expect(
            events == [
                "1.35: playing after 0.35 s",
                "17.25: video: mediaSequenceDecreased: from 449999988 to 449999987 (RFC 8216bis § 6.2.2)",
                "37.25: video: mediaSequenceDecreased: from 449999993 to 449999992 (RFC 8216bis § 6.2.2)",
                "57.25: video: mediaSequenceDecreased: from 449999998 to 449999997 (RFC 8216bis § 6.2.2)",
            ]
        )
        #expect(player.report.stalled == 0)
    }

    @Test func whatTheDecoderHasToDealWithIsEnteredWhenThePlayheadPassesIt() {
        let (player, events) = PlayerSimulation {
            $0.discontinuities = [Self.slot + 5]
            $0.keyPeriod = 5
            $0.gaps = [Self.slot + 5]
        }.run(seconds: 50)
        #expect(
            events.filter { !$0.contains("audio") } == [
                "1.35: playing after 0.35 s",
                "19.35: passed a new initialization in video",
                "19.35: passed a new key in video",
                "39.35: jumped over 4.0 s",
                "39.35: passed a new discontinuity in video",
                "39.35: passed a new initialization in video",
                "39.35: passed a new key in video",
            ]
        )
        #expect(player.report.marks(.discontinuity) == 1)
        #expect(player.report.marks(.key, on: .audio) == 2)
    }

    @Test func aPlayheadThatFellOutOfTheWindowStartsAgainAtTheEdge() {
        var simulation = PlayerSimulation()
        simulation.tracks = [.video]
        let playlist = simulation.playlist
        simulation.playlist = { track, seconds in
            (10..<130).contains(seconds) ? .failure(.status(404)) : playlist(track, seconds)
        }
        let (player, events) = simulation.run(seconds: 160)
        #expect(
            events.filter { !$0.contains("failed") } == [
                "1.35: playing after 0.35 s",
                "27.35: stalled",
                "135.25: left behind by the window: jumped 106.0 s",
                "135.35: playing again after 108.0 s",
            ]
        )
        #expect(player.report.samples.points.last?.latency == 21_350)
    }

    @Test func aDateThatStepsMakesNoHole() {
        var simulation = PlayerSimulation()
        simulation.playlist = { track, seconds in
            var playlist = RollingPlaylist(track: track.rawValue, discontinuities: [Self.slot + 2])
                .playlist(at: Self.time(seconds))
            for index in playlist.segments.indices
            where playlist.mediaSequence.value + Int64(index) >= Self.slot + 2 {
                playlist.segments[index].programDateTime += MediaTime(seconds: 30)
            }
            return .success(playlist)
        }
        let (player, events) = simulation.run(seconds: 60)
        #expect(
            events == [
                "1.35: playing after 0.35 s",
                "27.35: passed a new discontinuity in video",
                "27.35: passed a new discontinuity in audio",
            ]
        )
        #expect(player.report.samples.points.last?.latency == -10_650)
    }

    @Test func aReportStaysBoundedHoweverLongItGets() {
        var player = PlayerModel(at: Self.time(0))
        _ = player.multivariantLoaded(tracks: [.video], at: Self.time(0))
        for hour in 1...5 { _ = player.timeAdvanced(to: Self.time(Double(hour) * 3600)) }
        #expect(player.report.samples.points.count < 4096)
        #expect(player.report.samples.period == 8000)
    }

    private static func time(_ seconds: Double) -> MediaTime { PlayerSimulation.time(seconds) }
}
