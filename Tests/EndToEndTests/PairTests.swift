import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Two packagers on one feed publish one stream.
@Suite struct PairTests {
    @Test func aPackagerThatStartsLaterGoesOnFromItsPeersWindow() async throws {
        let pair = try PairFixture()
        let first = try await pair.packager(0)
        _ = try await first.mediaPlaylist("video-360p", "a full window") { $0.segments.count >= 6 }
        let before = try await first.lines()
        let second = try await pair.packager(1, ["--peer": first.origin])
        // As soon as it serves at all it serves what the other has published.
        let taken = try await eventually(within: 60, "it serves") { try await second.lines() }.filter {
            before[$0.key] != nil
        }
        #expect(taken.count >= PairFixture.renditions.count)
        for (place, line) in taken { #expect(line == before[place], "\(place)") }
        // Nothing is missing where its own media follows.
        #expect(
            try await first.comparison(with: second).differing == [],
            "\(first.program.errors)\(second.program.errors)"
        )
        try await expectAgreement(of: first, second, back: try await slotOfFirstMedia(of: second))
        await end(first, second)
    }

    @Test func twoThatStartTogetherAgreeInEverything() async throws {
        let pair = try PairFixture()
        let first = try await pair.packager(0)
        let second = try await pair.packager(1, ["--peer": first.origin])
        _ = try await second.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        #expect(
            try await first.comparison(with: second).differing == [],
            "\(first.program.errors)\(second.program.errors)"
        )
        let verdict = try await first.verdict(on: second, seconds: 2)
        #expect(verdict.code == 0, "\(verdict.text)")
        await end(first, second)
    }

    @Test func withoutPeerAndJournalNothingDiffersButWhatWasMeasured() async throws {
        let pair = try PairFixture()
        let first = try await pair.packager(0)
        _ = try await first.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        let second = try await pair.packager(1)
        _ = try await second.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        let (common, differing) = try await first.comparison(with: second)
        #expect(common.count >= 4)
        #expect(differing.isEmpty, "\(first.program.errors)\(second.program.errors)")
        // Both have measured the first segments that they had themselves, which are not the same.
        let (text, other) = try await eventually(within: 60, "the same multivariant playlists but for bandwidths") {
            let texts = try await (first.text("index.m3u8"), second.text("index.m3u8"))
            return Self.withoutBandwidth(texts.0) == Self.withoutBandwidth(texts.1) ? texts : nil
        }
        let verdict = try await first.verdict(on: second, seconds: 0)
        #expect(verdict.code == (text == other ? 0 : 1), "\(verdict.text)")
        if text != other {
            #expect(verdict.text.hasPrefix("different: 1 differences\nfirst difference: multivariant playlist: line "))
            #expect(verdict.text.contains(" is #EXT-X-STREAM-INF:BANDWIDTH="))
        }
        await end(first, second)
    }

    @Test func aKilledPackagerAgreesAgainWithinTwoSlots() async throws {
        let pair = try PairFixture()
        let state = pair.file("state")
        let (first, killed) = try await pair.packagers(["--state": state])
        let before = try await killed.lines()
        killed.program.kill()
        _ = await killed.program.exitCode()
        let lost = PairFixture.slot
        _ = try await first.mediaPlaylist("video-360p", "a slot that the other misses") { playlist in
            playlist.mediaSequence.value + Int64(playlist.segments.count) > lost + 1
        }
        // Without its peer it has nothing but its journal.
        let second = try await pair.packager(1, ["--state": state])
        let restored = try await second.lines().filter { before[$0.key] != nil }
        #expect(!restored.isEmpty)
        for (place, line) in restored { #expect(line == before[place], "\(place)") }
        let back = try await slotOfFirstMedia(of: second)
        try await expectAgreement(of: first, second, lost: lost, back: back, hasPeer: false)
        await end(first, second)
    }

    @Test func aPackagerThatLostItsInputAgreesAgainWithinTwoSlots() async throws {
        let pair = try PairFixture()
        let (first, second) = try await pair.packagers()
        let lost = PairFixture.slot
        pair.relay.set(.cut, to: 1)
        _ = try await second.mediaPlaylist("video-360p", "a gap") { playlist in
            let newest = playlist.mediaSequence.value + Int64(playlist.segments.count) - 1
            return newest > lost && playlist.segments.last?.isGap ?? false
        }
        pair.relay.set(.intact, to: 1)
        try await expectAgreement(of: first, second, lost: lost, back: PairFixture.slot)
        await end(first, second)
    }

    @Test func ofADamagedFeedTheFirstDifferenceIsNamed() async throws {
        let pair = try PairFixture()
        let (first, second) = try await pair.packagers()
        _ = try await eventually(within: 60, "nothing differs") {
            try await first.comparison(with: second).differing.isEmpty ? true : nil
        }
        pair.relay.set(.noisy, to: 1)
        let damaged = try await eventually(within: 60, "something differs") {
            try await first.comparison(with: second).differing.min()
        }
        let verdict = try await first.verdict(on: second, seconds: 0)
        #expect(verdict.code == 1)
        let name = "video-360p/\(damaged).m4s"
        let message = "first difference: video-360p.m3u8, segment \(damaged): \(name): byte "
        #expect(verdict.text.contains(message), "\(verdict.text)")
        #expect(verdict.text.contains("mdat"), "\(verdict.text)")
        #expect(try await HTTP.body(first.url(name)) != HTTP.body(second.url(name)))
        await end(first, second)
    }

    @Test func ofOtherKeysTheFirstDifferenceIsNamedButNoKey() async throws {
        let pair = try PairFixture()
        let first = try await pair.packager(0)
        let second = try await pair.packager(1, secret: String(repeating: "c3", count: 32))
        let segment = try #require(
            try await second.mediaPlaylist("video-360p", "two segments") { $0.segments.count >= 2 }.segments.last
        )
        let verdict = try await first.verdict(on: second, seconds: 0)
        #expect(verdict.code == 1)
        #expect(verdict.text.contains("first difference: multivariant playlist: line "), "\(verdict.text)")
        #expect(verdict.text.contains("is #EXT-X-SESSION-KEY:"), "\(verdict.text)")
        let key = try await HTTP.body(second.url(try #require(segment.keys.first?.uri)))
        #expect(key.count == 16)
        #expect(!verdict.text.contains(key.hexadecimal))
        await end(first, second)
    }

    /// Settings of the second packager that differ, and its messages about them.
    static let disagreements: [(own: [String: String], message: String)] = [
        (
            ["--segment-duration": "1", "--key-rotation": "4"],
            "segment-duration is 1.0 on this packager, and 2.0 on the peer"
        ),
        (["--clock": "timecode"], "clock is timecode on this packager, and pts on the peer"),
        (
            ["--encryption": "aes-128"],
            "encryption is aes-128 on this packager, and sample-aes on the peer\(Self.vectors)"
        ),
        (
            ["--encryption": "none", "--key-rotation": "0"],
            "encryption is none on this packager, and sample-aes on the peer"
        ),
        (["--key-rotation": "6"], "key-rotation is 6.0 on this packager, and 4.0 on the peer"),
        (
            ["--window": "16", "--clock": "arrival", "--encryption": "aes-128"],
            "clock is arrival on this packager, and pts on the peer; "
                + "encryption is aes-128 on this packager, and sample-aes on the peer\(Self.vectors)"
        ),
    ]

    /// A version that encrypts otherwise does not say this.
    private static let vectors =
        "; initialization vectors is media sequence numbers on this packager, and not set on the peer"

    @Test func peersThatDisagreeAreRefusedBeforeAnythingIsServed() async throws {
        let pair = try PairFixture()
        let first = try await pair.packager(0)
        let start = "packager: peer of channel live, \(first.origin): "
        for (own, message) in Self.disagreements {
            let refused = try await pair.refusal(of: own, peer: first)
            #expect(refused.code == 2)
            #expect(refused.errors.hasSuffix("\(start)\(message)\n"), "\(refused.errors)")
            #expect(refused.output.isEmpty)
        }
        let other = String(repeating: "c3", count: 32)
        let refused = try await pair.refusal(of: [:], secret: other, peer: first)
        #expect(refused.code == 2)
        #expect(
            refused.errors.hasSuffix("\(start)the two packagers have different values of key-secret\n"),
            "\(refused.errors)"
        )
        #expect(!refused.errors.contains(other) && !refused.errors.contains(PairFixture.secret))
        await first.end()
    }

    /// One member after the other gets new settings, and nobody goes off the air.
    @Test func settingsThatChangeNoSegmentMayDifferForAWhile() async throws {
        let pair = try PairFixture()
        let (first, second) = try await pair.packagers(["--window": "16", "--on-loss": "hold", "--failback": "20"])
        let said = second.program.errors
        for difference in [
            "failback is 20.0 on this packager, and 30.0 on the peer",
            "on-loss is hold on this packager, and gap on the peer",
            "window is 16.0 on this packager, and 12.0 on the peer",
        ] {
            #expect(said.contains(difference), "\(said)")
        }
        // What both list is equal.
        let (common, differing) = try await eventually(within: 40, "slots of both") {
            let comparison = try await first.comparison(with: second)
            return comparison.common.count >= 4 ? comparison : nil
        }
        #expect(common.count >= 4 && differing.isEmpty, "\(first.program.errors)\(second.program.errors)")
        await end(first, second)
    }
}

// MARK: - Steps

extension PairTests {
    /// The slot that was on air when a packager had its feed.
    private func slotOfFirstMedia(of packager: PackagerProcess) async throws -> Int64 {
        try await eventually(within: 60, "its input is open") {
            packager.program.errors.contains("input open") ? PairFixture.slot : nil
        }
    }

    /// Expects that two packagers differ in no slot from the second on after one of them has its feed again, and in
    /// nothing at all once the slots before are no longer listed.
    ///
    /// - Parameters:
    ///   - first: One.
    ///   - second: The other.
    ///   - lost: The slot in which one of them lost its feed, from which on they must differ; nil if they need not.
    ///   - slot: The one in which it had it again.
    ///   - hasPeer: Whether it hears from the other what that has measured.
    /// - Throws: ``NotInTime`` if they do not continue.
    private func expectAgreement(
        of first: PackagerProcess,
        _ second: PackagerProcess,
        lost: Int64? = nil,
        back slot: Int64,
        hasPeer: Bool = true
    ) async throws {
        let (common, differing) = try await eventually(within: 60, "slots after the return") {
            let comparison = try await first.comparison(with: second)
            return comparison.common.contains(slot + 3) ? comparison : nil
        }
        let log = "\(first.program.errors)\(second.program.errors)"
        #expect(
            differing.allSatisfy { $0 < slot + 2 },
            "\(differing.sorted()) of \(common.sorted()), back in \(slot)\n\(log)"
        )
        if let lost { #expect(differing.contains { $0 >= lost }, "\(differing.sorted()), lost in \(lost)") }
        let last = differing.max() ?? slot
        let later = try await eventually(within: 60, "a window after the difference") {
            let comparison = try await first.comparison(with: second)
            return comparison.common.min().map { $0 > last } ?? false ? comparison : nil
        }
        #expect(later.common.count >= 5)
        #expect(later.differing.isEmpty, "\(first.program.errors)\(second.program.errors)")
        // BANDWIDTH is measured: a packager that was without its feed and has no peer agrees once both have had the
        // heaviest segment.
        let mayDiffer = lost != nil && !hasPeer
        if !mayDiffer {
            _ = try await eventually(within: 10, "equal multivariant playlists") {
                try await first.text("index.m3u8") == second.text("index.m3u8") ? true : nil
            }
        }
        let verdict = try await first.verdict(on: second, seconds: 3)
        let isMeasuredOnly =
            verdict.text.hasPrefix("different: 1 differences\nfirst difference: multivariant playlist: line ")
            && verdict.text.contains(" is #EXT-X-STREAM-INF:BANDWIDTH=")
        #expect(verdict.text.hasPrefix("identical\n") || mayDiffer && isMeasuredOnly, "\(verdict.text)")
        // Text and all; they are fetched one after the other, and a slot may come in between.
        for playlist in PairFixture.renditions.map({ "\($0).m3u8" }) + ["index.m3u8"] {
            _ = try await eventually(within: 60, "equal texts of \(playlist)") {
                let texts = try await (first.text(playlist), second.text(playlist))
                if texts.0 == texts.1 { return true }
                return mayDiffer && Self.withoutBandwidth(texts.0) == Self.withoutBandwidth(texts.1) ? true : nil
            }
        }
    }

    private func end(_ packagers: PackagerProcess...) async {
        for packager in packagers { await packager.end() }
    }

    private static func withoutBandwidth(_ text: String) -> String {
        text.replacing(/BANDWIDTH=\d+/, with: "BANDWIDTH=…")
    }
}

extension PairFixture {
    /// Starts a packager that must not start, and waits for its end.
    fileprivate func refusal(
        of own: [String: String],
        secret: String = PairFixture.secret,
        peer: PackagerProcess
    ) async throws -> (code: Int32, output: String, errors: String) {
        let flags = try settings(secret: secret).merging(own) { _, own in own }
        let program = try Program(
            Repository.packager,
            flags.flatMap { [$0, $1] } + [
                "--peer", peer.origin, "--input", "udp://127.0.0.1:\(Ports.free(datagram: true))",
                "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0",
            ]
        )
        let code = await program.exitCode()
        let errors = try await eventually(within: 60, "an error message") {
            program.errors.isEmpty ? nil : program.errors
        }
        return (code, program.output, errors)
    }
}
