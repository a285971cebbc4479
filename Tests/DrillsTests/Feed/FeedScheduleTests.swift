import MediaCore
import Testing

@testable import Drills

@Suite struct FeedScheduleTests {
    @Test(arguments: [
        (ScheduledFault(.videoLost, at: .seconds(-1)), "video-lost starts before the drill"),
        (ScheduledFault(.packetsStop, at: .zero, for: .zero), "packets-stop has no duration"),
        (
            ScheduledFault(.loss(rate: 1.5, of: .packets), at: .zero),
            "loss: a rate is between 0 and 1, not 1.5"
        ),
        (
            ScheduledFault(.duplication(rate: .nan), at: .zero),
            "duplication: a rate is between 0 and 1, not nan"
        ),
        (
            ScheduledFault(.reordering(rate: 0.1, distance: 0), at: .zero),
            "reordering: a distance is between 1 and 1000"
        ),
        (ScheduledFault(.stall, at: .zero), "stall needs a duration"),
        (ScheduledFault(.restart, at: .zero), "restart needs a duration"),
        (
            ScheduledFault(.timestampWrap, at: .zero, for: .seconds(1)),
            "timestamp-wrap happens at one moment: it takes no duration"
        ),
        (
            ScheduledFault(.clockDrift(partsPerMillion: 1_200_000), at: .zero),
            "clock-drift: an encoder runs at half to twice the speed of time, not at 1200000 ppm"
        ),
        (ScheduledFault(.audioLost(track: -1), at: .zero), "audio-lost: tracks count from 0"),
    ])
    func impossibleFaultsAreNamed(fault: ScheduledFault, problem: String) {
        #expect(fault.problem == problem)
        #expect(FeedSchedule([fault]).problems == [problem])
    }

    @Test func deadEncoderCannotBeKilled() {
        let schedule = FeedSchedule([
            ScheduledFault(.restart, at: .seconds(6), for: .seconds(1)),
            ScheduledFault(.encoderKilled, at: .seconds(4), for: .seconds(3)),
        ])
        #expect(schedule.problems == ["restart at 6.0 s: the encoder is not running then"])
        #expect(FeedSchedule([ScheduledFault(.encoderKilled, at: .seconds(4))]).problems.isEmpty)
    }

    @Test func faultsAreActiveFromTheirStartToTheirEnd() {
        let fault = ScheduledFault(.videoLost, at: .seconds(4), for: .seconds(3))
        #expect([3.999, 4, 6.999, 7].map { fault.isActive(at: .seconds($0)) } == [false, true, true, false])
        #expect(ScheduledFault(.videoLost, at: .seconds(4)).isActive(at: .seconds(1_000_000)))
    }
}
