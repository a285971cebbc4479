import MediaCore
import Synchronization
import Timeline

/// Where a backup lies relative to its primary, for inputs whose UTC is that of their arrival.
///
/// Both inputs' threads report pictures; each takes its shift from here while it fills no slot.
final class InputAlignment: Sendable {
    private let state = Mutex(State())

    private struct State {
        var meter = OffsetMeter()
        var alignment: OffsetMeter.Alignment?
        var primaryShift = MediaTime.zero
        var backupShift = MediaTime.zero
        /// Added to UTC alone, of both inputs alike.
        var correction = MediaTime.zero
        var correctedAt: MediaTime?
    }

    /// What has been measured last.
    var alignment: OffsetMeter.Alignment? { state.withLock { $0.alignment } }

    func opened(_ side: OffsetMeter.Side, timestampModulus: Int64?) {
        state.withLock { $0.meter.opened(side, timestampModulus: timestampModulus) }
    }

    /// A picture arrived, its UTC not shifted.
    ///
    /// - Returns: The alignment, where it is new.
    func received(
        _ picture: OffsetMeter.Picture,
        from side: OffsetMeter.Side,
        at arrival: MediaTime
    ) -> OffsetMeter.Alignment? {
        state.withLock { state in
            guard let new = state.meter.received(picture, from: side, at: arrival) else { return nil }
            state.alignment = new
            return new
        }
    }

    /// What to add to the times of an input that fills no slot, so that both show the same at the same time.
    ///
    /// The backup follows the primary, but for a primary that returns while its backup is on air.
    func shift(of side: OffsetMeter.Side, isOtherOnAir: Bool) -> MediaTime {
        state.withLock { state in
            guard let alignment = state.alignment else {
                return side == .backup ? state.backupShift : state.primaryShift
            }
            switch side {
            case .backup:
                state.backupShift = alignment.backupShift(primaryShift: state.primaryShift)
                return state.backupShift
            case .primary:
                if isOtherOnAir { state.primaryShift = alignment.primaryShift(backupShift: state.backupShift) }
                return state.primaryShift
            }
        }
    }

    /// What to add to UTC of both inputs, so that dates return to the primary's arrival.
    ///
    /// An input that is placed by the other one forgets what its own arrival says, and such shifts add up. UTC alone is
    /// slewed against them, by at most 100 ppm.
    func correction(at arrival: MediaTime) -> MediaTime {
        state.withLock { state in
            let elapsed = arrival - (state.correctedAt ?? arrival)
            let limit = max(elapsed.ticks, 0) / LagJudge.leastRate
            let missing = -state.primaryShift - state.correction
            state.correction += MediaTime(ticks: max(-limit, min(limit, missing.ticks)))
            if limit > 0 || state.correctedAt == nil { state.correctedAt = arrival }
            return state.correction
        }
    }
}
