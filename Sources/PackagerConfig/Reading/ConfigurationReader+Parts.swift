import MediaCore

/// Checks of low latency: parts beside the other settings of a channel.
extension ConfigurationReader {
    /// A part that is shorter than this is one request too many: networks need about as long for the answer.
    private static let shortestPart = MediaTime(milliseconds: 200)

    mutating func checkParts(_ reading: SettingReading<ChannelConfiguration>) {
        guard let part = reading[\.partDuration], part.value > .zero else { return }
        checkLength(of: part, reading)
        checkForm(of: part, reading)
        checkDeltas(of: part, reading)
    }

    private mutating func checkLength(
        of part: Located<MediaTime>,
        _ reading: SettingReading<ChannelConfiguration>
    ) {
        guard let duration = reading[\.segmentDuration]?.value else { return }
        let longest = MediaTime(ticks: duration.ticks / 2)
        guard part.value < Self.shortestPart || part.value > longest else { return }
        report(
            part.origin,
            "parts of \(part.value.text) do not suit segments of \(duration.text); "
                + "allowed are 0 (no parts) and \(Self.shortestPart.text) to \(longest.text), half a segment"
        )
    }

    /// Checks that a part can be made, and be decrypted by itself.
    private mutating func checkForm(of part: Located<MediaTime>, _ reading: SettingReading<ChannelConfiguration>) {
        if let format = reading[\.format]?.value, !format.hasParts {
            report(
                part.origin,
                "a transport stream has no parts: video and audio share its segments, and no part would end with both; "
                    + "write 'format: fmp4', or 'part-duration: 0' for segments alone"
            )
        }
        if let encryption = reading[\.encryption]?.value, [.aes128, .aes256GCM].contains(encryption) {
            // RFC 8216bis § 4.4.4.4
            report(
                part.origin,
                "\(encryption.rawValue) encrypts a segment as a whole, so that no part can be decrypted by itself; "
                    + "write 'encryption: sample-aes', or 'part-duration: 0' for segments alone"
            )
        }
        if reading.value.endsByItself {
            report(part.origin, "with --no-realtime there is no live edge; leave out part-duration")
        }
    }

    /// Warns of a window that is sent whole with each part.
    private mutating func checkDeltas(of part: Located<MediaTime>, _ reading: SettingReading<ChannelConfiguration>) {
        guard let window = reading[\.window]?.value, reading[\.segmentDuration] != nil else { return }
        let minimum = ChannelConfiguration.minimumWindowOfDeltas(reading.value.grid)
        guard window < minimum else { return }
        warn(
            part.origin,
            "a window of \(window.text) is too short for delta updates: players get the whole playlist with each part; "
                + "set window to \(minimum.text) or more"
        )
    }
}
