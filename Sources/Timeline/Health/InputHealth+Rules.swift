import MediaCore

extension InputHealth {
    /// The cost of every fault, out of 100 points.
    ///
    /// Below 70 another input serves better if there is one; from 85 on an input is as good as any. Costs add up, but a
    /// fault that follows from another is not counted besides it: without packets nothing else is judged.
    enum Rules {
        /// The cost of a disconnected input, which has no media.
        static let disconnected = 100

        /// The cost of silences, in multiples of the longest that is usual.
        ///
        /// After one, a receiver's buffer may still hide the stutter, but the slot under way is at risk. After three it
        /// has a hole. After ten the sender is dead, though the connection is still open.
        static let stalled = Scale([(1, 50), (3, 80), (10, 100)])

        /// The cost of silences of one video track, in the same multiples, while others continue.
        ///
        /// Tracks of one programme are interleaved closely, so two are enough. The programme is worth little without
        /// pictures.
        static let videoLost = Scale([(2, 60)])

        /// The cost of silences of one audio track: the channel continues, but not for those who listen to it.
        static let audioLost = Scale([(2, 40)])

        /// The cost of a late key frame, by its age in expected intervals.
        ///
        /// After two, a slot may have no key frame to start with; after four, players cannot join the stream, however
        /// many packets still come.
        static let keyFrameOverdue = Scale([(2, 30), (4, 60)])

        /// The cost of continuity errors a minute.
        ///
        /// A single one damages a group of pictures; at ten a viewer is annoyed; at one a second hardly a group is
        /// whole; at ten a second no slot is.
        static let continuityErrors = Scale([(1, 5), (10, 15), (60, 35), (600, 60)])

        /// The cost of timestamp repairs a minute.
        ///
        /// They are made good, so they cost less than lost media; but an encoder that needs one every second cannot be
        /// trusted with a switch to it.
        static let timestampErrors = Scale([(1, 5), (10, 15), (60, 35)])

        /// The cost of segments a minute that not every player can begin with.
        ///
        /// Viewers who watch continue watching. One may be an encoder that was disturbed; from four on it is set up so,
        /// and viewers who join or seek wait.
        static let dependentSegments = Scale([(1, 5), (4, 20)])

        /// The cost of a fallen bit rate, by the number of times that it is below the usual one.
        ///
        /// Variable rates fall to a quarter in easy scenes, so less than that says nothing; a tenth is a black picture,
        /// or half of the programme missing. Neither alone makes an input unfit.
        static let bitrateFallen = Scale([(4, 10), (10, 20)])

        /// All packets come, but a viewer sees nothing happen: any input that moves is better.
        static let frozen = 60

        /// All packets come, but the audio is silent: that may be intended, but another input serves better, and it is
        /// reported.
        static let silent = 35

        /// The counts from which on a fault costs more, and the costs.
        struct Scale: Sendable {
            private let steps: [(from: Int64, deduction: Int)]

            init(_ steps: [(from: Int64, deduction: Int)]) {
                self.steps = steps
            }

            func deduction(for quantity: Int64) -> Int {
                steps.last { quantity >= $0.from }?.deduction ?? 0
            }
        }
    }
}
