import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import Testing

@Suite struct EndpointPolicyTests {
    private static let now = MediaTime(seconds: 1_795_262_400)

    private static func slot(_ segments: [RenditionID: PublishedSegment]) -> PublishedSlot {
        PublishedSlot(number: MediaSequenceNumber(448_815_600), segments: segments)
    }

    private static func segment(
        _ media: String? = "media",
        _ filler: PublishedSegment.Filler? = nil,
        isPartial: Bool = false
    ) -> PublishedSegment {
        PublishedSegment(
            programDateTime: now,
            duration: SegmentDuration(MediaTime(seconds: 4)),
            content: media.map { .media(ByteBuffer(string: $0)) } ?? .gap,
            filler: filler,
            isPartial: isPartial
        )
    }

    private static func health(_ failOn: Set<FailureCondition> = Set(FailureCondition.allCases)) -> EndpointHealth {
        EndpointHealth(policy: EndpointPolicy(staleAfter: MediaTime(seconds: 9), failOn: failOn))
    }

    @Test func conditionsAreWrittenAsConfigurationWritesThem() {
        #expect(FailureCondition.allCases.map(\.rawValue) == ["stale", "incomplete", "slate", "no-key"])
    }

    @Test func aChannelThatHasNotBegunFailsOnKeysOnly() {
        let health = Self.health()
        #expect(health.failures(now: Self.now) == [])
        health.setKeys(available: false)
        #expect(health.failures(now: Self.now) == [.noKey])
        health.setKeys(available: true)
        #expect(health.failures(now: Self.now) == [])
    }

    @Test(arguments: [(0, false), (9_000, false), (9_001, true), (-5_000, false)])
    func timeAloneMakesAChannelStale(milliseconds: Int, isStale: Bool) {
        let health = Self.health()
        health.slotPublished(Self.slot(["video": Self.segment()]), now: Self.now)
        #expect(
            health.failures(now: Self.now + MediaTime(milliseconds: Int64(milliseconds))) == (isStale ? [.stale] : [])
        )
    }

    @Test func whatIsRestoredGrowsStaleToo() {
        let health = Self.health()
        health.restored(until: Self.now)
        #expect(health.failures(now: Self.now + MediaTime(seconds: 9)) == [])
        #expect(health.failures(now: Self.now + MediaTime(seconds: 10)) == [.stale])
        health.slotPublished(Self.slot(["video": Self.segment()]), now: Self.now + MediaTime(seconds: 10))
        #expect(health.failures(now: Self.now + MediaTime(seconds: 11)) == [])
    }

    @Test(
        arguments: [
            (["video": segment(), "audio": segment()], []),
            (["video": segment(), "audio": segment(nil)], [FailureCondition.incomplete]),
            (["video": segment(isPartial: true), "audio": segment()], [.incomplete]),
            (["video": segment("slate", .slate), "audio": segment()], [.slate]),
            (["video": segment("slate", .slate), "audio": segment(nil)], [.incomplete, .slate]),
            (["video": segment("held", .hold), "audio": segment("silence", .hold)], [.slate]),
        ] as [([RenditionID: PublishedSegment], [FailureCondition])]
    )
    func theNewestSlotDecides(segments: [RenditionID: PublishedSegment], failures: [FailureCondition]) {
        let health = Self.health()
        health.slotPublished(Self.slot(segments), now: Self.now)
        #expect(health.failures(now: Self.now) == failures)
        health.slotPublished(Self.slot(["video": Self.segment(), "audio": Self.segment()]), now: Self.now)
        #expect(health.failures(now: Self.now) == [])
    }

    @Test(arguments: FailureCondition.allCases)
    func onlyWhatIsOnTheListFails(condition: FailureCondition) {
        for failOn in [[], [condition]] as [Set<FailureCondition>] {
            let health = Self.health(failOn)
            health.setKeys(available: false)
            health.slotPublished(
                Self.slot(["video": Self.segment(nil), "audio": Self.segment("s", .slate)]),
                now: Self.now
            )
            #expect(health.failures(now: Self.now + MediaTime(seconds: 10)) == Array(failOn))
        }
    }

    @Test func whatHasEndedIsCompleteAsItIs() {
        let health = Self.health()
        health.slotPublished(
            Self.slot(["video": Self.segment(nil), "audio": Self.segment("s", .slate)]),
            now: Self.now
        )
        health.ended()
        #expect(health.failures(now: Self.now + MediaTime(seconds: 3600)) == [])
        health.setKeys(available: false)
        #expect(health.failures(now: Self.now) == [.noKey])
    }

    @Test func theScoreIsUnknownUntilItIsSet() {
        let health = Self.health()
        #expect(health.score == nil)
        health.setScore(87)
        #expect(health.score == 87)
    }

    // MARK: A pair

    /// One that has published a slot with a gap, and whose peer says this.
    private static func failures(_ peer: PeerHealth?, heard: MediaTime = now) -> [FailureCondition] {
        let health = EndpointHealth(
            policy: EndpointPolicy(staleAfter: MediaTime(seconds: 9), failOn: [.stale, .incomplete]),
            hasPeer: true
        )
        health.slotPublished(slot(["video": segment(nil)]), now: now)
        health.peerAnswered(peer, now: heard)
        return health.failures(now: now)
    }

    private static let number: Int64 = 448_815_600

    @Test func aMemberFailsOnlyWhileItsPeerDoesBetter() {
        #expect(Self.failures(nil) == [])
        #expect(Self.failures(PeerHealth(slot: nil, conditions: [])) == [])
        #expect(Self.failures(PeerHealth(slot: Self.number, conditions: [])) == [.incomplete])
        #expect(Self.failures(PeerHealth(slot: Self.number, conditions: [.incomplete])) == [])
        #expect(Self.failures(PeerHealth(slot: Self.number, conditions: [.slate])) == [.incomplete])
        #expect(Self.failures(PeerHealth(slot: Self.number, conditions: [.noKey, .slate])) == [])
        // It publishes a moment later, or has stopped.
        #expect(Self.failures(PeerHealth(slot: Self.number - 1, conditions: [])) == [.incomplete])
        #expect(Self.failures(PeerHealth(slot: Self.number - 2, conditions: [])) == [])
        #expect(
            Self.failures(PeerHealth(slot: Self.number, conditions: []), heard: Self.now - MediaTime(seconds: 4)) == []
        )
    }

    @Test(arguments: [Int64.min, -1, 1 << 40, .max])
    func aPeerThatTalksNonsenseIsNotHeard(slot: Int64) {
        let answer = Data("{\"slot\":\(slot),\"conditions\":[]}".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PeerHealth.self, from: answer) }
    }

    @Test func aStaleMemberFailsWhereItsPeerIsAhead() {
        let health = EndpointHealth(
            policy: EndpointPolicy(staleAfter: MediaTime(seconds: 9), failOn: [.stale, .incomplete]),
            hasPeer: true
        )
        health.slotPublished(Self.slot(["video": Self.segment()]), now: Self.now)
        let later = Self.now + MediaTime(seconds: 10)
        #expect(health.mustAskPeer(now: later))
        for (slot, failures) in [(Self.number, []), (Self.number + 2, [.stale])] as [(Int64, [FailureCondition])] {
            health.peerAnswered(PeerHealth(slot: slot, conditions: [.incomplete]), now: later)
            #expect(health.failures(now: later) == failures)
        }
    }

    @Test func whatNoInputHasIsNotMissed() {
        let health = Self.health([.incomplete])
        let slot = Self.slot(["video": Self.segment(), "audio-fr": Self.segment(nil)])
        health.slotPublished(slot, withdrawn: ["audio-fr"], now: Self.now)
        #expect(health.failures(now: Self.now) == [])
        health.slotPublished(slot, now: Self.now)
        #expect(health.failures(now: Self.now) == [.incomplete])
    }
}
