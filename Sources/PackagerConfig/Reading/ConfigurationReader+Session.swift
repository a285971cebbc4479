import MediaCore
import Timeline

extension ConfigurationReader {
    /// RFC 8216bis § 4.4.6.4.
    mutating func checkSessionData(_ data: [SettingReading<SessionDatum>]) {
        var taken: Set<[String]> = []
        for datum in data {
            let value = datum.value
            guard let origin = datum[\.id]?.origin ?? datum.origin else { continue }
            if !datum.isGiven(\.id) {
                report(origin, "there is no id; write it like 'id: com.example.title'")
            } else if !value.id.isEmpty, !taken.insert([value.id, value.language ?? ""]).inserted {
                let language = value.language.map { " in \($0)" } ?? ""
                report(origin, "there is '\(value.id)'\(language) already")
            }
            if datum.isGiven(\.value) == datum.isGiven(\.uri) {
                report(origin, "session data has either a value or a uri")
            }
        }
    }

    /// RFC 8216bis § 4.4.2.2: players do not begin within three target durations of the end.
    mutating func checkStart(_ reading: SettingReading<ChannelConfiguration>) {
        if let precise = reading[\.startsPrecisely], precise.value, reading.value.startOffset == .zero {
            report(precise.origin, "set start-offset as well")
        }
        guard let offset = reading[\.startOffset], offset.value > .zero, reading[\.segmentDuration] != nil,
            let window = reading[\.window]
        else { return }
        let least = MediaTime(seconds: Int64(reading.value.grid.targetDuration) * 3)
        guard offset.value < least || offset.value > window.value else { return }
        report(
            offset.origin,
            "\(offset.value.text) is not between three target durations and the window: \(least.text) to \(window.value.text)"
        )
    }
}
