import MediaCore

/// Checks of a recording beside the other settings of a channel.
extension ConfigurationReader {
    mutating func checkRecording(_ reading: SettingReading<ChannelConfiguration>) {
        guard let record = reading[\.recording.directory] else { return checkNothingIsRecorded(reading) }
        if !reading.value.isRealtime {
            report(record.origin, "a file that is read with --no-realtime is not live; output keeps all of it")
        }
        if let state = reading[\.state]?.value,
            ChannelConfiguration.normalized(state) == ChannelConfiguration.normalized(record.value)
        {
            report(record.origin, "'\(record.value)' is where state is kept; a recording needs a directory of its own")
        }
        checkLength(reading)
        checkDelay(reading)
    }

    private mutating func checkNothingIsRecorded(_ reading: SettingReading<ChannelConfiguration>) {
        if let size = reading[\.recording.byteCount] { report(size.origin, "nothing is recorded; set record as well") }
        if let delay = reading[\.timeDelay], delay.value > .zero {
            report(delay.origin, "a delayed channel must be recorded; set record as well")
        }
    }

    /// Checks that slots for viewers are younger than those that are removed.
    private mutating func checkLength(_ reading: SettingReading<ChannelConfiguration>) {
        guard let length = reading[\.recording.duration], let window = reading[\.window]?.value else { return }
        let (delay, minimum) = (reading.value.timeDelay, window * 2 + reading.value.timeDelay)
        guard length.value < minimum else { return }
        report(
            length.origin,
            "\(SettingValue.text(ofSpan: length.value)) is too short for a window of \(window.text)"
                + (delay > .zero ? " that is \(SettingValue.text(ofSpan: delay)) behind" : "")
                + "; allowed are \(minimum.text) and more: twice the window"
                + (delay > .zero ? ", and time-delay" : "")
        )
    }

    private mutating func checkDelay(_ reading: SettingReading<ChannelConfiguration>) {
        guard let delay = reading[\.timeDelay], delay.value > .zero else { return }
        if let part = reading[\.partDuration], part.value > .zero {
            report(delay.origin, "parts are for viewers at the live edge, and time-delay keeps everyone behind it")
        }
        if reading.value.holdsNext {
            report(
                delay.origin,
                "playlists that wait for their next segment are for the live edge; leave hold-next out"
            )
        }
    }
}
