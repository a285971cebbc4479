import MediaCore

/// Finds changes of an input's format: another codec, size, frame rate, sample rate or number of channels.
struct FormatWatch: Sendable {
    enum News: Hashable, Sendable {
        case changed(from: String, to: String)
        /// The format has changed several times within a minute, last in this way; this is not reported again for a
        /// minute.
        case changesAgainAndAgain(from: String, to: String)
    }

    private var formats: [TrackIndex: CodecConfiguration] = [:]
    /// The time at which each track was last looked at, in UTC.
    private var looked: [TrackIndex: MediaTime] = [:]
    /// The times of the changes that were reported within the last minute.
    private var reports: [MediaTime] = []

    private static let period = MediaTime(seconds: 60)
    /// The number of changes a minute from which on they are too many: an operator changes an encoder less often.
    private static let most = 4

    /// The pause between comparisons: every frame of audio is a sync sample, and comparing costs as much as the rest of
    /// a packet.
    private static let pause = MediaTime(milliseconds: 500)

    /// Takes a sync sample.
    ///
    /// - Parameters:
    ///   - configuration: The decoder configuration of the sample.
    ///   - place: The index of its track in the channel.
    ///   - now: The time now, in UTC.
    /// - Returns: The change, if it is to be reported.
    mutating func received(_ configuration: CodecConfiguration, place: TrackIndex, at now: MediaTime) -> News? {
        if let latest = looked[place], now - latest < Self.pause, now >= latest { return nil }
        looked[place] = now
        let before = formats[place]
        guard before != configuration else { return nil }
        formats[place] = configuration
        guard let from = before?.summary, let to = configuration.summary, from != to else { return nil }
        reports.removeAll { now - $0 >= Self.period }
        guard reports.count < Self.most else { return nil }
        reports.append(now)
        if reports.count < Self.most { return .changed(from: from, to: to) }
        reports = Array(repeating: now, count: Self.most)
        return .changesAgainAndAgain(from: from, to: to)
    }
}

extension CodecConfiguration {
    /// The name of a format for operators: `h264 1280x720 50 fps`, `aac 48 kHz 2 channels`; nil for text.
    var summary: String? {
        if let picture {
            let rate = picture.frameRate.map { " \($0.decimal) fps" } ?? ""
            return "\(codecName) \(picture.width)x\(picture.height)\(rate)"
        }
        guard let audio else { return nil }
        let rate = Ratio(audio.sampleRate, 1_000).decimal
        return "\(codecName) \(rate) kHz \(audio.channels) \(audio.channels == 1 ? "channel" : "channels")"
    }

    private var codecName: String {
        switch self {
        case .avc: "h264"
        case .aac: "aac"
        default: family ?? "text"
        }
    }
}

extension Ratio {
    /// The value to a hundredth, without zeros at its end: `25`, `29.97`, `44.1`.
    fileprivate var decimal: String {
        guard denominator > 0 else { return "\(numerator)" }
        let hundredths = (Double(numerator) / Double(denominator) * 100).rounded() / 100
        return hundredths == hundredths.rounded() ? "\(Int(hundredths))" : "\(hundredths)"
    }
}
