import Foundation
import Playlists
import TestSupport
import Testing

/// A player in front of a pair, which does not know that there are two.
@Suite struct LoadBalancerTests {
    private let quick = ["--segment-duration", "1", "--window", "20"]

    /// Two packagers on the feed, both with something to play.
    private func start(_ pair: PairFixture) async throws -> (PackagerProcess, PackagerProcess) {
        let own = ["--segment-duration": "1", "--window": "20"]
        let one = try await pair.packager(0, own)
        let other = try await pair.packager(1, own.merging(["--peer": one.origin]) { own, _ in own })
        for packager in [one, other] {
            _ = try await packager.mediaPlaylist("video-360p", "eight segments") { $0.segments.count >= 8 }
        }
        return (one, other)
    }

    private func play(_ origin: String, seconds: Int) async throws -> PlayerPage {
        try await PlayerPage.play(origin + "/live/", ["--minimum-advance", "\(seconds)"])
    }

    @Test func everyRequestMayGoToTheOther() async throws {
        let pair = try PairFixture()
        let (one, other) = try await start(pair)
        let balancer = try await LoadBalancer(one, other)
        let playback = try await play(balancer.origin, seconds: 20)
        let log = "\(one.program.errors)\(other.program.errors)"
        #expect(playback.stalledSeconds == 0, "\(log)")
        #expect(playback.gapsJumped == 0, "\(log)")
        #expect(playback.warnings == [], "\(log)")
        #expect(try await HTTP.get(one.origin + "/live/window.json").status == 404, "that is not for viewers")
        #expect(try await HTTP.get(one.origin + "/live/health.json").status == 404, "that is not for viewers")
        #expect(try await HTTP.get(balancer.origin + "/live/window.json").status == 403, "that is not for viewers")
        let answers = balancer.answers
        #expect(answers.allSatisfy { $0.status < 400 }, "\(answers.filter { $0.status >= 400 })")
        for member in LoadBalancer.Member.allCases {
            #expect(answers.count { $0.member == member } > answers.count * 2 / 5, "\(member) of \(answers.count)")
            #expect(balancer.segments(of: member) >= 5)
        }
        await balancer.end()
        await one.end()
        await other.end()
    }

    /// Members that encrypt nothing tell everybody who reaches them what is for their peer.
    @Test func whatIsForPeersDoesNotPass() async throws {
        let settings = quick + ["--input", Repository.feed, "--loop"]
        let members = [
            try await PackagerProcess(settings + ["--peer", "http://127.0.0.1:\(Ports.free())"]),
            try await PackagerProcess(settings),
        ]
        for packager in members {
            _ = try await packager.mediaPlaylist("video-360p", "a segment") { !$0.segments.isEmpty }
        }
        let balancer = try await LoadBalancer(members[0], members[1])
        let spellings = [
            "window.json", "window%2Ejson", "%77indow.json", "health.json", "health%2ejson", "%68ealth.json",
            "schedule.json", "schedule%2Ejson", "%73chedule.js%6Fn",
        ]
        for path in spellings.map({ "/live/\($0)" }) {
            #expect(try await HTTP.get(members[0].origin + path).status == 200, "\(path) of a member of a pair")
            #expect(try await HTTP.get(members[1].origin + path).status == 404, "\(path) of one without a peer")
            // Twice, for requests go to the members in turn.
            for _ in 0..<2 { #expect(try await HTTP.get(balancer.origin + path).status == 403, "\(path)") }
        }
        await balancer.end()
        for packager in members { await packager.end() }
    }

    @Test func aKilledPackagerIsNotNoticed() async throws {
        let pair = try PairFixture()
        let (one, other) = try await start(pair)
        let balancer = try await LoadBalancer(one, other)
        async let playing = play(balancer.origin, seconds: 25)
        _ = try await eventually(within: 60, "both have given segments") {
            LoadBalancer.Member.allCases.allSatisfy { balancer.segments(of: $0) >= 4 } ? true : nil
        }
        one.program.kill()
        // Until the dead one is out, every second request comes to it first.
        for _ in 0..<20 {
            #expect(try await HTTP.get(balancer.origin + "/live/video-360p.m3u8").status == 200)
        }
        _ = try await eventually(within: 10, "the dead one is out") { balancer.hasLost(.a) ? true : nil }
        let before = balancer.segments(of: .b)
        let playback = try await playing
        #expect(playback.stalledSeconds == 0, "\(other.program.errors)")
        #expect(playback.gapsJumped == 0, "\(other.program.errors)")
        // Far more than what the player had in hand.
        #expect(balancer.segments(of: .b) - before >= 12)
        await balancer.end()
        await one.end()
        await other.end()
    }

    @Test func aPackagerThatFailsClosedIsLeftOut() async throws {
        let port = Ports.free(datagram: true)
        let healthy = try await PackagerProcess(quick + ["--input", Repository.feed, "--loop"])
        let failing = try await PackagerProcess(
            quick + ["--fail-on", "incomplete", "--input", "udp://127.0.0.1:\(port)"]
        )
        let sender = try FeedSender.udp(port: port)
        for packager in [healthy, failing] {
            _ = try await packager.mediaPlaylist("video-360p", "a segment") { !$0.segments.isEmpty }
        }
        let balancer = try await LoadBalancer(healthy, failing)
        sender.program.kill()
        _ = try await eventually(within: 60, "the failing one is out") {
            let answer = try await HTTP.get(balancer.origin + "/live/video-360p.m3u8")
            #expect(answer.status == 200)
            return balancer.hasLost(.b) ? true : nil
        }
        #expect(try await HTTP.get(failing.url("index.m3u8")).status == 503)
        await balancer.end()
        await healthy.end()
        await failing.end()
    }

    /// Without `--fail-on` a hurt member goes on as it can, and says how well that is.
    @Test func theHealthierMemberIsAsked() async throws {
        let pair = try PairFixture()
        let (one, other) = try await start(pair)
        let balancer = try await LoadBalancer(one, other)
        pair.relay.set(.cut, to: 0)
        _ = try await eventually(within: 20, "it is found to do badly") { balancer.hasDisfavoured(.a) ? true : nil }
        let before = balancer.answers.count
        let answers = try await watch(balancer.origin, seconds: 4)
        #expect(answers.allSatisfy { $0.status == 200 }, "\(answers)")
        #expect(balancer.answers.dropFirst(before).allSatisfy { $0.member == .b }, "\(balancer.answers)")
        #expect(!balancer.hasLost(.a))
        // With nobody who does better both are asked.
        other.program.kill()
        #expect(try await HTTP.get(balancer.origin + "/live/video-360p.m3u8").status == 200)
        await balancer.end()
        await one.end()
    }

    /// Two packagers that know each other, and step back when they are hurt.
    private func startWatchful(_ pair: PairFixture) async throws -> (PackagerProcess, PackagerProcess) {
        let ports = [Ports.free(), Ports.free()]
        var packagers: [PackagerProcess] = []
        for index in 0...1 {
            let own = [
                "--segment-duration": "1", "--window": "20", "--fail-on": "stale,incomplete", "--stale-after": "4",
                "--peer": "http://127.0.0.1:\(ports[1 - index])",
            ]
            packagers.append(try await pair.packager(index, own, port: ports[index]))
        }
        for packager in packagers {
            _ = try await packager.mediaPlaylist("video-360p", "eight segments") { $0.segments.count >= 8 }
        }
        return (packagers[0], packagers[1])
    }

    /// The segments that are gaps, by their URIs.
    private static func gaps(_ playlist: MediaPlaylist) -> Set<String> {
        Set(playlist.segments.filter(\.isGap).map(\.uri))
    }

    /// Returns the answers to a viewer for a while.
    private func watch(_ origin: String, seconds: Double) async throws -> [(status: Int, gaps: Set<String>)] {
        let end = Date.now + seconds
        var answers: [(status: Int, gaps: Set<String>)] = []
        while Date.now < end {
            let answer = try await HTTP.get(origin + "/live/video-360p.m3u8")
            let gaps = try answer.status == 200 ? Self.gaps(MediaPlaylist(parsing: answer.text)) : []
            answers.append((answer.status, gaps))
            // What is answered over some time is what is asked for. A player asks about as often.
            try await Task.sleep(for: .milliseconds(100))
        }
        return answers
    }

    @Test func whereBothAreHurtViewersGetWhatThereIs() async throws {
        let pair = try PairFixture()
        let (one, other) = try await startWatchful(pair)
        let balancer = try await LoadBalancer(one, other)
        for index in 0...1 { pair.relay.set(.cut, to: index) }
        let lost = try await watch(balancer.origin, seconds: 12)
        #expect(lost.allSatisfy { $0.status == 200 }, "\(lost.count { $0.status != 200 }) of \(lost.count)")
        #expect(lost.last?.gaps.isEmpty == false, "\(one.program.errors)\(other.program.errors)")
        for index in 0...1 { pair.relay.set(.intact, to: index) }
        let back = try await watch(balancer.origin, seconds: 6)
        #expect(back.allSatisfy { $0.status == 200 }, "\(back.count { $0.status != 200 }) of \(back.count)")
        await balancer.end()
        await one.end()
        await other.end()
    }

    /// A line upstream of the split loses packets now and then.
    @Test func packetsThatBothLackTakeNobodyOffTheAir() async throws {
        let pair = try PairFixture()
        let (one, other) = try await startWatchful(pair)
        let balancer = try await LoadBalancer(one, other)
        async let watched = watch(balancer.origin, seconds: 12)
        for _ in 0..<4 {
            for index in 0...1 { pair.relay.set(.cut, to: index) }
            // How long the line loses packets is what is given; the next loss is in another slot.
            try await Task.sleep(for: .milliseconds(150))
            for index in 0...1 { pair.relay.set(.intact, to: index) }
            let slot = PairFixture.slot
            _ = try await eventually(within: 10, "a slot without a loss") { PairFixture.slot > slot + 1 ? true : nil }
        }
        let answers = try await watched
        #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.count { $0.status != 200 }) of \(answers.count)")
        await balancer.end()
        await one.end()
        await other.end()
    }

    @Test func whoeverIsHurtAloneStepsBack() async throws {
        let pair = try PairFixture()
        let (one, other) = try await startWatchful(pair)
        let balancer = try await LoadBalancer(one, other)
        pair.relay.set(.cut, to: 0)
        _ = try await eventually(within: 10, "it steps back") {
            try await HTTP.get(one.url("index.m3u8")).status == 503 ? true : nil
        }
        let answers = try await watch(balancer.origin, seconds: 8)
        // Where the encoder was late, the other one has gaps of its own.
        let others = Self.gaps(try await other.mediaPlaylist("video-360p"))
        #expect(
            answers.allSatisfy { $0.status == 200 && $0.gaps.isSubset(of: others) },
            "\(answers)\n\(one.program.errors)\(other.program.errors)"
        )
        pair.relay.set(.intact, to: 0)
        _ = try await eventually(within: 10, "it is back") {
            try await HTTP.get(one.url("index.m3u8")).status == 200 ? true : nil
        }
        // With nobody to take over there is nothing to step back for.
        other.program.kill()
        pair.relay.set(.cut, to: 0)
        _ = try await one.mediaPlaylist("video-360p", "a gap") { $0.segments.last?.isGap == true }
        #expect(try await HTTP.get(one.url("index.m3u8")).status == 200)
        await balancer.end()
        await one.end()
    }
}
