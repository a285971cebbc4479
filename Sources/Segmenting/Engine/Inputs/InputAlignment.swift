import MediaCore
import Timeline

/// The offset of a backup from its primary, for inputs whose UTC comes from their arrival.
///
/// Pictures of both are reported to it; each input takes its shift from here while it fills no slot.
struct InputAlignment: Sendable {
    private var meter = OffsetMeter()
    /// The last measurement.
    private(set) var alignment: OffsetMeter.Alignment?
    private var primaryShift = MediaTime.zero
    private var backupShift = MediaTime.zero
    /// The correction of UTC alone, the same for both inputs.
    private var correction = MediaTime.zero
    private var correctedAt: MediaTime?

    mutating func opened(_ side: OffsetMeter.Side, timestampModulus: Int64?) {
        meter.opened(side, timestampModulus: timestampModulus)
    }

    /// Takes the shift of an input, and the correction, that both had in another channel.
    mutating func inherit(shift: MediaTime, correction: MediaTime, of side: OffsetMeter.Side) {
        switch side {
        case .primary: primaryShift = shift
        case .backup: backupShift = shift
        }
        // With the first input, UTC begins to be slewed from here; the other one may come back much later.
        if correctedAt == nil { self.correction = correction }
    }

    /// Takes a picture that has arrived, its UTC not shifted.
    ///
    /// - Returns: The alignment, if it is new.
    mutating func received(
        _ picture: OffsetMeter.Picture,
        from side: OffsetMeter.Side,
        at arrival: MediaTime
    ) -> OffsetMeter.Alignment? {
        guard let new = meter.received(picture, from: side, at: arrival) else { return nil }
        alignment = new
        return new
    }

    /// Returns the shift of an input that fills no slot, so that both show the same at the same time.
    ///
    /// The backup follows the primary; only a primary that returns while its backup is on air follows the backup.
    mutating func shift(of side: OffsetMeter.Side, isOtherOnAir: Bool) -> MediaTime {
        guard let alignment else { return side == .backup ? backupShift : primaryShift }
        switch side {
        case .backup:
            backupShift = alignment.backupShift(primaryShift: primaryShift)
            return backupShift
        case .primary:
            if isOtherOnAir { primaryShift = alignment.primaryShift(backupShift: backupShift) }
            return primaryShift
        }
    }

    /// Returns the correction to add to UTC of both inputs, so that dates return to the primary's arrival.
    ///
    /// An input that is placed by the other one no longer follows its own arrival, and such shifts add up. Only UTC is
    /// slewed against them, by at most 100 ppm.
    mutating func correction(at arrival: MediaTime) -> MediaTime {
        let elapsed = arrival - (correctedAt ?? arrival)
        let limit = max(elapsed.ticks, 0) / LagJudge.leastRate
        let missing = -primaryShift - correction
        correction += MediaTime(ticks: max(-limit, min(limit, missing.ticks)))
        if limit > 0 || correctedAt == nil { correctedAt = arrival }
        return correction
    }
}
