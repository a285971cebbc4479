import Channels
import MediaCore
import Testing
import Timeline

@Suite struct ResumptionTests {
    private struct StoppedClock: UTCClock {
        let now = MediaTime(seconds: 1_795_000_000)
    }

    private static let grid = SegmentGrid(slotDuration: MediaTime(seconds: 1))
    private static let clock = StoppedClock()

    /// The slot that lies so many slots in the future.
    private static func slot(_ lead: Int64) -> MediaSequenceNumber {
        grid.slot(at: clock.now + MediaTime(seconds: lead))
    }

    private static func resumption(
        after newest: MediaSequenceNumber?,
        isPeerJoining: Bool = false,
        peerClock: Int64? = nil,
        canJoin: Bool = true
    ) -> Resumption {
        Resumption(
            after: newest,
            isPeerJoining: isPeerJoining,
            peerClock: peerClock.map { clock.now + MediaTime(seconds: $0) },
            canJoin: canJoin,
            grid: grid,
            clock: clock
        )
    }

    @Test(arguments: [nil, -1, -3_600, 10])
    func aPeerThatIsOnAirIsJoined(lead: Int64?) {
        #expect(Self.resumption(after: lead.map(Self.slot)) == .joiningPeer)
    }

    @Test(arguments: [nil, -1, -3_600])
    func aPeerThatWaitsOrIsSilentIsGoneOnFrom(lead: Int64?) {
        #expect(Self.resumption(after: lead.map(Self.slot), isPeerJoining: true) == .fromPeer)
        #expect(Self.resumption(after: lead.map(Self.slot), canJoin: false) == .fromPeer)
    }

    /// Neither waiting for it nor taking over its window would ever end.
    @Test(
        arguments: [
            (nil, "which of the two clocks is wrong is not known"),
            (0, "its clock agrees with this one, so its feed runs ahead of time"),
            (2, "its clock agrees with this one, so its feed runs ahead of time"),
            (60, "its clock is 60 s ahead of this one, so one of the two is wrong"),
            (-60, "its clock is 60 s behind this one, so one of the two is wrong"),
        ] as [(Int64?, String)],
        [true, false]
    )
    func aPeerOfTheFutureIsDoneWithout(peer: (clock: Int64?, cause: String), isJoining: Bool) {
        let resumption = Self.resumption(after: Self.slot(59), isPeerJoining: isJoining, peerClock: peer.clock)
        #expect(resumption == .withoutPeer("its window ends 60 s ahead of this machine's clock: \(peer.cause)"))
    }

    @Test func aJournalOfTheFutureKeepsAChannelFromStarting() {
        #expect(Resumption.problem(ofJournal: nil, grid: Self.grid, at: Self.clock.now) == nil)
        #expect(Resumption.problem(ofJournal: Self.slot(10), grid: Self.grid, at: Self.clock.now) == nil)
        let problem = Resumption.problem(ofJournal: Self.slot(59), grid: Self.grid, at: Self.clock.now)
        #expect(problem?.hasPrefix("what was published before ends 60 s ahead of this machine's clock") == true)
    }
}
