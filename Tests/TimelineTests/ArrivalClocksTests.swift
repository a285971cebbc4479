import MediaCore
import TestSupport
import Testing

@testable import Timeline

/// Several live inputs of one channel, placed by their arrival.
@Suite struct ArrivalClocksTests {
    /// Inputs that share their clocks; times are milliseconds.
    private struct Inputs {
        var drivers: [TimelineDriver]
        private var clocks = ArrivalClocks()

        init(bases: [Int64]) {
            drivers = bases.enumerated().map { TimelineDriver(base: $1, input: InputPosition($0)) }
        }

        mutating func send(_ time: Int64, at arrival: Int64, input: Int) -> InputTimeline.Reception {
            drivers[input].clocks = clocks
            defer { clocks = drivers[input].clocks }
            return drivers[input].send(time, at: arrival)
        }

        /// Sends a picture every 40 ms to each.
        ///
        /// - Returns: By how much any of them was placed elsewhere than the first at the end, and the last one's lag.
        mutating func run(_ media: Range<Int64>, to inputs: [Int]? = nil, arrival: (Int64, Int) -> Int64) -> [Int64] {
            var last = [Int64](repeating: 0, count: drivers.count)
            let events = stride(from: media.lowerBound, to: media.upperBound, by: 40).flatMap { time in
                (inputs ?? Array(drivers.indices)).map { (time, $0, arrival(time, $0)) }
            }
            for (time, input, arrival) in events.sorted(by: { $0.2 < $1.2 }) {
                if let utc = drivers[input].utc(send(time, at: arrival, input: input)) { last[input] = utc - time }
            }
            return last
        }

        /// The inputs that share a clock with each.
        var sharing: [Set<InputPosition>] { drivers.indices.map { clocks.inputs(sharingWith: InputPosition($0)) } }

        mutating func takeRepairs() -> [TimelineRepair] { drivers.indices.flatMap { drivers[$0].takeRepairs() } }
    }

    /// Packets of equal timestamps come at different times where the processors are busy at the start.
    @Test(arguments: [0, 77, 430, -300, 900] as [Int64])
    func rungsOfOneEncoderLieAsTheirTimestampsSay(delay: Int64) {
        // The second one's timestamps have wrapped.
        var inputs = Inputs(bases: [900_000, 900_000 + TimelineDriver.modulus, 900_000])
        let last = inputs.run(0..<60_000) { $0 + [0, delay, 40][$1] }
        #expect(Set(last).count == 1, "\(last)")
        #expect(inputs.sharing == [[0, 1, 2], [0, 1, 2], [0, 1, 2]])
        // None comes before its time.
        #expect(last[0] <= min(0, delay) + 300)
    }

    @Test func aRungThatComesFirstShowsHowLateTheOthersAre() {
        var inputs = Inputs(bases: [900_000, 900_000])
        let last = inputs.run(0..<400_000) { $0 + [300, 0][$1] }
        #expect(last[0] == last[1])
        #expect(abs(last[0]) <= 6)
        #expect(inputs.takeRepairs().isEmpty)
    }

    @Test func feedsThatShareNothingArePlacedEachByItsArrival() {
        var inputs = Inputs(bases: [900_000, 77_000_000])
        let last = inputs.run(0..<30_000) { $0 + [0, 250][$1] }
        #expect(last == [0, 250])
        #expect(inputs.sharing == [[0], [1]])
        #expect(
            inputs.drivers[1].timeline.findings.first == .began(sharing: [], distance: .zero, others: [0])
        )
    }

    @Test func oneClockIsCorrectedForAll() {
        var inputs = Inputs(bases: [900_000, 900_000])
        let last = inputs.run(0..<3_600_000) { $0 - $0 / 5_000 + [0, 120][$1] }
        #expect(last[0] == last[1])
        #expect(abs(last[0] + 720) <= 30, "\(last)")
        #expect(inputs.takeRepairs().isEmpty)
    }

    @Test func aClockGoesOnWithoutTheInputThatFoundedIt() {
        var inputs = Inputs(bases: [900_000, 900_000])
        _ = inputs.run(0..<30_000) { $0 + [0, 400][$1] }
        // The path of the other one is longer, which is not taken for lateness; drift is followed.
        let last = inputs.run(30_000..<1_830_000, to: [1]) { time, _ in time - (time - 30_000) / 5_000 + 400 }
        #expect(abs(last[1] + 360) <= 30, "\(last)")
        // It comes back with the same timestamps.
        inputs.drivers[0].open(at: 1_830_000 - 360)
        let both = inputs.run(1_830_000..<1_840_000) { $0 - 360 + [0, 400][$1] }
        #expect(abs(both[0] - both[1]) <= 1, "\(both)")
        #expect(abs(both[0] + 360) <= 30)
        #expect(inputs.takeRepairs().isEmpty)
    }

    @Test func anEncoderThatStartsOverTakesItsRungsAlong() {
        var inputs = Inputs(bases: [900_000, 900_000, 900_000])
        _ = inputs.run(0..<30_000) { $0 + [0, 200, 90][$1] }
        for index in 0...2 { inputs.drivers[index].base = 5_000_000_000 }
        let last = inputs.run(30_000..<60_000) { $0 + [0, 200, 90][$1] }
        #expect(Set(last).count == 1, "\(last)")
        #expect(abs(last[0]) <= 20)
        #expect(inputs.sharing == [[0, 1, 2], [0, 1, 2], [0, 1, 2]])
        #expect(inputs.takeRepairs() == [.reanchoredClock])
    }

    @Test func anEncoderThatStartsOverAfterASilenceTakesItsRungsAlong() {
        var inputs = Inputs(bases: [900_000, 900_000, 900_000])
        _ = inputs.run(0..<30_000) { $0 + [0, 200, 90][$1] }
        for index in 0...2 { inputs.drivers[index].base = 5_000_000_000 }
        let last = inputs.run(33_000..<60_000) { $0 + [0, 200, 90][$1] }
        #expect(Set(last).count == 1, "\(last)")
        #expect(abs(last[0]) <= 20)
        #expect(inputs.sharing == [[0, 1, 2], [0, 1, 2], [0, 1, 2]])
    }

    @Test func aFeedThatIsTooFastTakesItsRungsAlong() {
        var inputs = Inputs(bases: [900_000, 900_000])
        let last = inputs.run(0..<60_000) { time, input in time / 2 + [0, 100][input] }
        #expect(last[0] == last[1], "\(last)")
        #expect(inputs.sharing == [[0, 1], [0, 1]])
    }

    /// One was anchored before its burst was over, and is corrected: then it is seen that both count the same.
    @Test func clocksThatTurnOutToBeOneBecomeOne() {
        var inputs = Inputs(bases: [900_000, 900_000])
        let last = inputs.run(0..<60_000) { time, input in
            // The second one opens after five seconds, and needs more than five others to catch up.
            input == 1 ? max(time, 5_000 + time * 2 / 3) : time
        }
        #expect(last[0] == last[1], "\(last)")
        #expect(inputs.sharing == [[0, 1], [0, 1]])
        #expect(inputs.takeRepairs().contains(.reanchoredClock))
    }
}
